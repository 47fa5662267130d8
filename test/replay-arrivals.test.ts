import { describe, expect, it } from 'vitest';
import { eventBody } from './doubles/event-body.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { atCall } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const payment = { id: 'p', order: 'A' };
const refund = { id: 'r', action: 'refunded' };
const rowOf = ({ events }: Tables, id: string) => events.get(`live:event:${id} event`);

describe('a payment that arrives while a refund of its transaction is replayed', () => {
  it('has no refund that is just about to leave the transaction', async () => {
    const tables = sharedTables();
    await deliver(tables, refund);
    readAs(tables, { ...refund, order: 'B' });
    await tables.act(
      'replay',
      { event_id: 'r' },
      'ann',
      atCall('join', () => deliver(tables, payment)),
    );
    expect(tables.orderViews()).toMatchObject({ A: { events: ['p'] }, B: { events: ['r'] } });
    expect(Object.keys(moneyOf(tables))).toEqual(['A', 'B']);
  });

  it('settles the refund that begins to wait', async () => {
    const tables = sharedTables();
    await deliver(tables, { ...refund, order: 'B' });
    readAs(tables, refund);
    await tables.act(
      'replay',
      { event_id: 'r' },
      'ann',
      atCall('reread', () => deliver(tables, payment)),
    );
    expect(rowOf(tables, 'r')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
    expect(tables.waiting()).toEqual([]);
  });

  it('leaves a refund waiting that has just been read in another transaction', async () => {
    const tables = sharedTables();
    await deliver(tables, refund);
    readAs(tables, { ...refund, transaction: 'U' });
    await tables.act(
      'replay',
      { event_id: 'r' },
      'ann',
      atCall('reread', () => deliver(tables, payment)),
    );
    expect(rowOf(tables, 'r')).toMatchObject({ waiting: 'unassigned', transactionId: 'U' });
    expect(rowOf(tables, 'r')?.assignedOrderId).toBeUndefined();
  });
});

it('an admission of an event that is about to be read in another transaction stands', async () => {
  const tables = sharedTables();
  await deliver(tables, refund);
  readAs(tables, { ...refund, transaction: 'U' });
  const admit = async () => void (await tables.act('admit', { event_id: 'r', order_id: 'K' }, 'bob'));
  await tables.act('replay', { event_id: 'r' }, 'ann', atCall('reread', admit));
  expect(rowOf(tables, 'r')).toMatchObject({ outcome: 'applied', judged: { by: 'bob', orderId: 'K' } });
  expect(tables.waiting()).toEqual([]);
});

it('a payment loses the order of another payment that was written into its row', async () => {
  const tables = sharedTables();
  const key = 'live:event:p event';
  await deliver(tables, { id: 'p' }, { id: 'q', order: 'D' });
  readAs(tables, payment);
  await tables.act('replay', { event_id: 'p' });
  const row = tables.events.get(key);
  if (row) tables.events.set(key, { ...row, assignedOrderId: 'D' });
  await tables.act('replay', { event_id: 'p' });
  expect(tables.events.get(key)).toEqual(row);
});

it('a refund names the full order that has just refused it, after a replay that takes it out of another', async () => {
  const tables = sharedTables();
  const many = Array.from({ length: 20 }, (_, n) => ({ id: `x${n}`, order: 'C', transaction: 'X' }));
  await deliver(tables, payment, { id: 'q', order: 'D' }, refund, ...many);
  tables.setRoom({ orderBytesMax: 1_200 });
  readAs(tables, { id: 'p', order: 'B' });
  const refuse = () => deliver(tables, { id: 'c', order: 'C' });
  await tables.act('replay', { event_id: 'p' }, 'ann', atCall('reread', refuse));
  expect(rowOf(tables, 'r')).toMatchObject({ waiting: 'order_refused', assignedOrderId: 'C' });
});

it('a replay ends although the row of its event has expired meanwhile', async () => {
  const tables = sharedTables();
  await deliver(tables, refund);
  readAs(tables, { ...refund, transaction: 'U' });
  const expire = async () => void tables.events.delete('live:event:r event');
  const { status } = await tables.act('replay', { event_id: 'r' }, 'ann', atCall('reread', expire, 50));
  expect(status).toBe(200);
});

it.each([
  ['another transaction', { ...payment, transaction: 'U' }, { waiting: 'unassigned' }],
  ['another order', { id: 'p', order: 'B' }, { outcome: 'applied', assignedOrderId: 'B' }],
])(
  'a comparison shows a refund that was settled after its payment moved to %s',
  async (_, moved, repaired) => {
    const tables = sharedTables();
    await deliver(tables, payment);
    readAs(tables, moved);
    const move = () => tables.act('replay', {});
    await tables.consume({ body: eventBody(refund), messageId: 'r' }, atCall('settle', move));
    expect(rowOf(tables, 'r')).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
    expect(tables.orderViews()['A']?.events).not.toContain('r');
    expect(await tables.differences()).toMatchObject([{ kind: 'stale_row', event_id: 'r' }]);
    await tables.act('replay', { order_id: 'A' });
    expect(rowOf(tables, 'r')).toMatchObject(repaired);
  },
);
