import { expect, it } from 'vitest';
import { correctionFact, leftFact } from '../lambdas/domain/fact.ts';
import { fact } from './doubles/facts.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const refund = { id: 'r', action: 'refunded' };
const payment = { id: 'p', order: 'A' };
const toAnotherOrder = { id: 'p', order: 'B' };
const atTransaction = 'live:transaction:T';

/** The events of each order that has any. */
const countedIn = (tables: Tables) =>
  Object.fromEntries(
    Object.entries(tables.orderViews()).flatMap(([id, { events }]) =>
      events.length > 0 ? [[id, events]] : [],
    ),
  );

it('an admitted payment that names another order by now takes its refund along', async () => {
  const tables = sharedTables();
  await deliver(tables, { id: 'p' });
  await tables.act('admit', { event_id: 'p', order_id: 'A' });
  await deliver(tables, refund);
  readAs(tables, { id: 'p', order: 'B' });
  await tables.act('replay', { event_id: 'p' });
  expect(countedIn(tables)).toEqual({ B: ['p', 'r'] });
  expect([...(tables.transactions.get(atTransaction)?.orderIds ?? [])]).toEqual(['B']);
  expect(tables.orderViews()['B']?.attention).toEqual([]);
});

it('an order keeps its refund while a payment names it that this version cannot read', async () => {
  const tables = sharedTables();
  await deliver(tables, payment, { id: 'q', order: 'A' }, refund);
  readAs(tables, { id: 'p', order: 'B' });
  const unreadable = tables.events.get('live:event:q event');
  if (unreadable) tables.events.set('live:event:q event', { ...unreadable, body: Buffer.from('{}') });
  await tables.act('replay', {});
  expect(countedIn(tables)).toEqual({ A: ['q', 'r'], B: ['p', 'r'] });
});

it('an event that counts in no order waits, although another of its bodies has named one', async () => {
  const tables = sharedTables();
  await deliver(tables, payment, { ...payment, attempt: 2 });
  readAs(tables, { id: 'p' });
  await tables.act('replay', {});
  expect(countedIn(tables)).toEqual({});
  expect(tables.waiting()).toContain('live:event:p event');
});

it('a repeated replay adds nothing to a transaction whose former order is full', async () => {
  const tables = sharedTables();
  await deliver(tables, payment, refund);
  readAs(tables, { id: 'p', order: 'B' });
  const former = tables.orders.get('live:order:A')?.facts ?? new Set<string>();
  // For the mark of the departure, and no correction.
  tables.setRoom({ orderBytesMax: [...former, leftFact('T')].join('').length + 1_060 });
  former.add(JSON.stringify(['refolded.1', 'x'.repeat(1_000)]));
  for (let times = 0; times < 5; times += 1) await tables.act('replay', { event_id: 'p' });
  expect(tables.transactions.get(atTransaction)?.facts.size).toBe(2);
});

it('an order that has no room for a mark keeps its transaction, and the payment is left as it was', async () => {
  const tables = sharedTables();
  await deliver(tables, payment, refund);
  readAs(tables, { id: 'p', order: 'B' });
  tables.setRoom({ orderBytesMax: 1 });
  const before = tables.state();
  const { left } = await tables.act('replay', { event_id: 'p' });
  expect(left).toEqual([{ event_id: 'p', reason: 'order_full' }]);
  expect(tables.state().transactions).toEqual(before.transactions);
  expect(tables.state().events).toEqual(before.events);
});

it('a payment is left as it was while an order of its refund has no room, and moves when there is room', async () => {
  const [tables, reference] = [sharedTables(), sharedTables()];
  const other = { id: 'q', order: 'D' };
  const another = { ...refund, id: 's' };
  const readNow = [
    { id: 'p', order: 'B' },
    { ...refund, amount: '40.00' },
  ] as const;
  await deliver(tables, payment, other, refund, another);
  for (const event of readNow) readAs(tables, event);
  const full = tables.orders.get('live:order:D')?.facts ?? new Set<string>();
  // The refund is corrected once in the transaction, as the other is, and again in this order, which lacks room.
  const roomBytes = 2 * correctionFact(fact('r', 'refunded'), 2).length;
  full.add(JSON.stringify(['refolded.1', 'x'.repeat(1_000)]));
  tables.setRoom({ orderBytesMax: [...full].join('').length + roomBytes, headroomBytes: 0 });
  const before = tables.events.get('live:event:p event');
  const { left } = await tables.act('replay', { event_id: 'p' });
  expect(left).toEqual([{ event_id: 'p', reason: 'order_full' }]);
  expect(tables.events.get('live:event:p event')).toEqual(before);
  tables.setRoom({ orderBytesMax: 400_000 });
  await tables.act('replay', { event_id: 'p' });
  await deliver(reference, ...readNow, other, another);
  expect(moneyOf(tables)).toEqual(moneyOf(reference));
});

it('each of 26 refunds follows its payment to another order, and back', async () => {
  const tables = sharedTables();
  const refunds = Array.from({ length: 26 }, (_, n) => ({ id: `r${n}`, action: 'refunded', amount: '1.00' }));
  await deliver(tables, payment, ...refunds);
  readAs(tables, { id: 'p', order: 'B' });
  await tables.act('replay', { event_id: 'p' });
  expect(countedIn(tables)['B']).toHaveLength(27);
  await deliver(tables, { id: 'q', order: 'A' });
  expect(countedIn(tables)['A']).toHaveLength(27);
});

it('a payment moves with one of its refunds, of which the other has moved to another transaction', async () => {
  const tables = sharedTables();
  await deliver(tables, payment, refund, { ...refund, id: 's' });
  readAs(tables, { id: 'p', order: 'B' });
  readAs(tables, { ...refund, transaction: 'U' });
  await tables.act('replay', { event_id: 'p' });
  expect([countedIn(tables), tables.waiting()]).toEqual([{ B: ['p', 's'] }, ['live:event:r event']]);
});

it.each([1, 4])('a replay that dies anywhere, %i times, is completed by its repetition', async (deaths) => {
  let status = 0;
  for (let calls = 1; calls < 200 && status !== 200; calls += 1) {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    readAs(tables, { ...payment, transaction: 'U' });
    for (let times = 0; times < deaths; times += 1) {
      const dying = dyingAfter(calls)(async () => {});
      ({ status } = await tables.act('replay', { event_id: 'p' }, 'ann', dying));
    }
    await tables.act('replay', { event_id: 'p' });
    const waiting = tables.waiting();
    expect([calls, countedIn(tables), waiting]).toEqual([calls, { A: ['p'] }, ['live:event:r event']]);
    expect(tables.transactions.get(atTransaction)?.facts.size).toBe(2);
  }
  expect(status).toBe(200);
});

it('a payment that its former order has refused moves, although that has no room for a mark', async () => {
  const tables = sharedTables();
  await deliver(tables, { id: 'x', order: 'A', transaction: 'X' });
  tables.setRoom({ orderBytesMax: 150 });
  await deliver(tables, payment);
  expect(tables.waiting()).not.toEqual([]);
  readAs(tables, toAnotherOrder);
  expect((await tables.act('replay', { event_id: 'p' })).left).toEqual([]);
  expect(Object.keys(moneyOf(tables))).toEqual(['A', 'B']);
  expect(tables.waiting()).toEqual([]);
});

it('a replay of a payment that never reached its former order does not create that order', async () => {
  const tables = sharedTables();
  await deliver(tables, payment);
  // As a consumer leaves it whose join fails.
  tables.orders.clear();
  tables.transactions.clear();
  readAs(tables, toAnotherOrder);
  expect((await tables.act('replay', { event_id: 'p' })).status).toBe(200);
  expect(Object.keys(tables.orderViews())).toEqual(['B']);
});

it('a payment that arrives between any two calls of a replay counts where it belongs', async () => {
  const second = { id: 'q', order: 'A' };
  const reference = sharedTables();
  await deliver(reference, toAnotherOrder, refund, second);
  let calls = 0;
  for (let at = 1; at === 1 || calls >= at - 1; at += 1) {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    readAs(tables, toAnotherOrder);
    calls = 0;
    await tables.act('replay', { event_id: 'p' }, 'ann', async () => {
      calls += 1;
      if (calls === at) await deliver(tables, second);
    });
    if (calls < at) await deliver(tables, second);
    expect([at, moneyOf(tables)]).toEqual([at, moneyOf(reference)]);
  }
  expect(calls).toBeGreaterThan(10);
});
