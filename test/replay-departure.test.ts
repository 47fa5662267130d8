import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { leftFact } from '../lambdas/domain/fact.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { variants } from './doubles/operations.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { atCall, dyingAfter, type Gate, notedCalls, takeTurns } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const payment = { id: 'p', order: 'A' };
const second = { id: 'q', order: 'A' };
const refund = { id: 'r', action: 'refunded', amount: '1.00' };
const later = { id: 's', action: 'refunded', amount: '2.00' };
const toAnotherOrder = { id: 'p', order: 'B' };
const toAnotherTransaction = { ...payment, transaction: 'U' };

const replay = (tables: Tables, gate?: Gate) => tables.act('replay', { event_id: 'p' }, 'ann', gate);
const ordersOfT = ({ transactions }: Tables) => [...(transactions.get('live:transaction:T')?.orderIds ?? [])];
const factsOf = ({ orders }: Tables, id: string) => [...(orders.get(`live:order:${id}`)?.facts ?? [])];

async function prepared(readNow: EventFields, ...events: readonly EventFields[]): Promise<Tables> {
  const tables = sharedTables();
  await deliver(tables, ...events);
  readAs(tables, readNow);
  return tables;
}

/** What a version that has read every event in this way from the beginning has of each order. */
async function moneyFrom(...events: readonly EventFields[]) {
  const reference = sharedTables();
  await deliver(reference, ...events);
  return moneyOf(reference);
}

const nothing = async () => {};

describe('a replay of a payment', () => {
  it('that came without an order id takes along what waits to its order, and to no other', async () => {
    const tables = await prepared(payment, { id: 'p' }, refund);
    await replay(tables);
    expect(tables.orderViews()).toMatchObject({ A: { events: ['p', 'r'] } });
    expect(Object.keys(tables.orderViews())).toEqual(['A']);
    expect(tables.waiting()).toEqual([]);
  });

  it('that came without a transaction joins the one that it names, and no other', async () => {
    const alone = { transaction: null };
    const tables = await prepared(payment, { ...payment, ...alone }, { ...second, ...alone });
    await replay(tables);
    expect([...tables.transactions.keys()]).toEqual(['live:transaction:T']);
  });

  it.each(['erased', 'expired'])('lets a refund whose body was %s wait for the next payment', async (how) => {
    const tables = sharedTables({ eventRetentionDays: how === 'expired' ? 30 : undefined });
    await deliver(tables, payment, refund);
    if (how === 'erased') await tables.act('erase', { event_id: 'r' });
    else tables.bodies.clear();
    readAs(tables, toAnotherTransaction);
    expect(await replay(tables)).toMatchObject({ status: 200, changed: true });
    expect(tables.waiting()).toEqual(['live:event:r event']);
    expect(await tables.differences()).toEqual([]);
    await deliver(tables, second);
    expect(tables.waiting()).toEqual([]);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherTransaction, second, refund));
  });

  it.each([
    ['that this version cannot read', toAnotherOrder, { assignedOrderId: 'B' }],
    ['that this version cannot read', toAnotherTransaction, { waiting: 'unassigned' }],
    ['of which it cannot read all bodies', toAnotherOrder, { assignedOrderId: 'B' }],
    ['of which it cannot read all bodies', toAnotherTransaction, { waiting: 'unassigned' }],
  ])('takes along a refund %s: %o', async (how, readNow, expected) => {
    const tables = await prepared(readNow, payment, refund);
    const at = 'live:event:r event';
    const row = tables.events.get(at);
    if (row === undefined) throw new Error('The refund has no row.');
    if (how === 'that this version cannot read') tables.events.set(at, { ...row, body: Buffer.from('{}') });
    else for (const one of variants(row, 300)) tables.events.set(`${one.key} ${one.record}`, one);
    expect(await replay(tables)).toMatchObject({ status: 200, changed: true });
    expect(tables.events.get(at)).toMatchObject(expected);
    expect(tables.events.size).toBe(how === 'that this version cannot read' ? 2 : 302);
    await deliver(tables, second);
    expect(tables.waiting()).toEqual([]);
    expect(moneyOf(tables)).toEqual(await moneyFrom(readNow, second, refund));
  });

  it('reads the rows of the payment and of what came without an order id, and each once', async () => {
    const tables = await prepared(toAnotherOrder, payment, second, refund);
    const { gate, of } = notedCalls();
    await replay(tables, gate);
    // The request itself reads the payment first.
    expect(of('find')).toEqual(['p', 'p', 'q'].map((id) => `find ["live","${id}"]`));
    const { gate: again, of: ofAgain } = notedCalls();
    await replay(tables, again);
    expect(ofAgain('find')).toEqual(['p', 'p'].map((id) => `find ["live","${id}"]`));
  });

  it('leaves an order in its transaction that another payment names, without a mark or a write', async () => {
    const tables = await prepared(toAnotherOrder, payment, second, refund);
    const { gate, of } = notedCalls();
    await replay(tables, gate);
    expect(factsOf(tables, 'A')).not.toContain(leftFact('T'));
    expect(of('leave')).toEqual([]);
    expect(of('join').filter((call) => call.includes('"orderId":"A"'))).toEqual([]);
  });

  it('leaves an order in its transaction that an operator gave to an event of it', async () => {
    const run = async (first: EventFields, again: EventFields) => {
      const tables = sharedTables();
      await deliver(tables, refund);
      await tables.act('admit', { event_id: 'r', order_id: 'A' });
      await deliver(tables, first);
      readAs(tables, again);
      await replay(tables);
      await deliver(tables, later);
      return moneyOf(tables);
    };
    const expected = await run(toAnotherOrder, toAnotherOrder);
    expect(expected['A']?.counted.map(({ id }) => id)).toEqual(['r', 's']);
    expect(await run(payment, toAnotherOrder)).toEqual(expected);
  });

  it('restores an order that is lost, and that an operator gave to an event of its transaction', async () => {
    const tables = sharedTables();
    await deliver(tables, refund);
    await tables.act('admit', { event_id: 'r', order_id: 'A' });
    await deliver(tables, payment);
    readAs(tables, toAnotherTransaction);
    tables.orders.clear();
    expect((await replay(tables)).status).toBe(200);
    expect(moneyOf(tables)['A']?.counted.map(({ id }) => id)).toEqual(['p', 'r']);
  });

  it.each<[string, EventFields]>([
    ['a refund names it', { id: 'n', order: 'A', action: 'refunded', amount: '3.00' }],
    ['a payment of another transaction names it', { id: 'n', order: 'A', transaction: 'X' }],
  ])('takes an order out of its transaction although %s', async (_, other) => {
    const tables = await prepared(toAnotherOrder, payment, other);
    await replay(tables);
    await deliver(tables, refund);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherOrder, other, refund));
  });

  it('moves although the rows of other events of its transaction and of its order are gone', async () => {
    const tables = await prepared(toAnotherOrder, payment, second, refund);
    for (const id of ['q', 'r']) tables.events.delete(`live:event:${id} event`);
    expect((await replay(tables)).status).toBe(200);
    expect(moneyOf(tables)['A']?.counted.map(({ id }) => id)).toEqual(['q']);
    expect(moneyOf(tables)['B']?.counted.map(({ id }) => id)).toEqual(['p', 'r']);
  });

  it('leaves an order that a payment names which this version cannot read, whatever was quarantined', async () => {
    const tables = sharedTables();
    const quarantined = eventBody({ id: 'q', order: 'X', sandbox: true });
    await tables.consume({ body: quarantined });
    await deliver(tables, payment, second, refund);
    readAs(tables, toAnotherOrder);
    const row = tables.events.get('live:event:q event');
    if (row) tables.events.set('live:event:q event', { ...row, body: Buffer.from('{}') });
    await replay(tables);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherOrder, second, refund));
  });

  it('never takes a refund out of its former order that names this order itself by now', async () => {
    const tables = await prepared(toAnotherOrder, payment, refund);
    readAs(tables, { ...refund, order: 'A' });
    await tables.act('replay', { event_id: 'r' });
    const refunds: (string | undefined)[] = [];
    await replay(tables, async () => {
      refunds.push(moneyOf(tables)['A']?.counted.find(({ id }) => id === 'r')?.amount ?? undefined);
    });
    expect(new Set(refunds)).toEqual(new Set(['1.00']));
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherOrder, { ...refund, order: 'A' }));
  });
});

it('a replay of a refund that names another order takes no order out of the transaction', async () => {
  const tables = await prepared({ ...refund, order: 'B' }, { ...refund, order: 'A' });
  // A payment on its way to the order.
  await tables.writer.join({ mode: 'live', transactionId: 'T', add: { orderId: 'A' } });
  await tables.act('replay', { event_id: 'r' });
  expect(ordersOfT(tables)).toEqual(['A']);
});

describe('a replay of a payment that died after its order had left, while another payment came to it,', () => {
  /** The order has the mark and the payment `q`, and is out of the transaction. */
  async function died(...events: readonly EventFields[]): Promise<Tables> {
    const tables = await prepared(toAnotherTransaction, payment, ...events);
    await replay(
      tables,
      atCall('leave', () => deliver(tables, second), 1),
    );
    expect(ordersOfT(tables)).toEqual([]);
    return tables;
  }

  it('gives the order what came meanwhile when it is repeated', async () => {
    const tables = await died();
    await deliver(tables, later);
    expect(tables.waiting()).toEqual(['live:event:s event']);
    await replay(tables);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherTransaction, second, later));
    expect(tables.waiting()).toEqual([]);
  });

  it('reads again what the order gets when it is repeated', async () => {
    const tables = await died();
    const readNow = { ...later, amount: '3.00' };
    await deliver(tables, later);
    readAs(tables, readNow);
    await replay(tables);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherTransaction, second, readNow));
    expect(tables.waiting()).toEqual([]);
  });

  it('gives the order what comes later when it is repeated', async () => {
    const tables = await died(refund);
    await replay(tables);
    await deliver(tables, later);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherTransaction, refund, second, later));
  });

  it('gives the order what another order has, when it dies again as soon as the order is back', async () => {
    const another = { id: 'x', order: 'C' };
    const tables = await died(refund);
    await deliver(tables, another, later);
    await replay(tables, atCall('join', nothing, 1));
    await replay(tables);
    const expected = await moneyFrom(toAnotherTransaction, refund, second, another, later);
    expect(moneyOf(tables)).toEqual(expected);
  });

  it('looks past an event of the transaction whose row is gone', async () => {
    const tables = await prepared(toAnotherTransaction, payment, second, refund);
    tables.events.delete('live:event:r event');
    expect((await replay(tables)).status).toBe(200);
  });

  it('lets nothing wait that counts, wherever it dies again', async () => {
    let status: number | undefined = 0;
    for (let calls = 1; calls < 120 && status !== 200; calls += 1) {
      const tables = await died();
      await deliver(tables, later, { ...later, id: 't' });
      ({ status } = await replay(tables, dyingAfter(calls)(nothing)));
      await replay(tables);
      expect([calls, tables.waiting()]).toEqual([calls, []]);
    }
    expect(status).toBe(200);
  });

  it('gives the order what came meanwhile when it dies again as soon as the order is back', async () => {
    const tables = await died(refund);
    await deliver(tables, later);
    await replay(tables, atCall('join', nothing, 1));
    expect(ordersOfT(tables)).toEqual(['A']);
    await replay(tables);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherTransaction, refund, second, later));
    expect(tables.waiting()).toEqual([]);
  });
});

describe('an order without a payment of its transaction', () => {
  const elsewhere = { id: 'z', order: '0' };
  const readAndReplay = async (tables: Tables, readNow: EventFields, gate?: Gate) => {
    readAs(tables, readNow);
    return tables.act('replay', { event_id: readNow.id }, 'ann', gate);
  };

  it('has no refund, although a replay died that took it out for the second time', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, elsewhere, refund);
    await readAndReplay(tables, toAnotherOrder);
    await readAndReplay(tables, payment);
    expect(moneyOf(tables)['A']?.status).toBe('partially_refunded');
    await readAndReplay(tables, toAnotherOrder, atCall('leave', nothing, 1));
    const { gate, of } = notedCalls();
    await replay(tables, gate);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherOrder, elsewhere, refund));
    expect(of('getRow').filter((call) => call.includes('undefined'))).toEqual([]);
  });

  it('has no refund, although another payment brings a correction to it that was on its way', async () => {
    const tables = sharedTables();
    const arriving = { id: 'x', order: 'B' };
    const elsewhereNow = { ...elsewhere, order: '1' };
    await deliver(tables, payment, elsewhere, refund);
    // Of a replay that dies: the refund leaves the order 0, and counts again in every order that the transaction gets.
    const diesAtItsMerges: Gate = async (call) => {
      if (call?.name === 'merge' && ordersOfT(tables).includes('1')) throw new Error('dead');
    };
    await readAndReplay(tables, elsewhereNow, diesAtItsMerges);
    readAs(tables, toAnotherOrder);
    await takeTurns<unknown>(
      [
        (gate) =>
          tables.consume({ body: eventBody(arriving), messageId: 'x' }, async (call) => {
            if (call?.name === 'merge') await gate();
          }),
        (gate) => replay(tables, gate),
      ],
      [{ actor: 1, calls: 1_000 }],
    );
    await tables.act('replay', { event_id: 'z' });
    const expected = await moneyFrom(toAnotherOrder, elsewhereNow, refund, arriving);
    expect(moneyOf(tables)).toEqual(expected);
  });
});

it.each([
  ['has room', 400_000],
  ['is full', 1],
])(
  'a refund keeps the order that a replay read in it when a later payment names one that %s',
  async (_, bytes) => {
    const tables = sharedTables();
    await deliver(tables, refund, { id: 'x', order: 'A', transaction: 'X' });
    readAs(tables, { ...refund, order: 'B' });
    await tables.act('replay', { event_id: 'r' });
    const row = tables.events.get('live:event:r event');
    expect(row).toMatchObject({ outcome: 'applied', orderId: 'B' });
    tables.setRoom({ orderBytesMax: bytes });
    await deliver(tables, payment);
    expect(tables.events.get('live:event:r event')).toEqual(row);
  },
);

it('a replay of a whole transaction moves its payment, whichever of its calls takes longest', async () => {
  const toFormer = { id: 'q', order: 'A' };
  const expected = await moneyFrom(toFormer, refund, payment);
  let calls = 0;
  for (let slow = 0; slow <= calls; slow += 1) {
    const tables = await prepared(toFormer, { id: 'q', order: 'B' }, refund, payment);
    calls = 0;
    await tables.act('replay', {}, 'ann', async () => {
      calls += 1;
      // Longer than all others together.
      if (calls === slow) for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    });
    expect([slow, moneyOf(tables)]).toEqual([slow, expected]);
  }
  expect(calls).toBeGreaterThan(20);
});

describe('a full order', () => {
  const other = { id: 'x', order: 'A', transaction: 'X' };
  /** The least that counts nothing, and has no room for the mark of a departure. */
  const isFull = { orderBytesMax: 1 };
  const room = { orderBytesMax: 400_000 };
  const left = [{ event_id: 'p', reason: 'order_full' }];

  it('keeps its payment, and its transaction', async () => {
    const tables = await prepared(toAnotherOrder, other, payment);
    tables.setRoom(isFull);
    const state = tables.state();
    expect((await replay(tables)).left).toEqual(left);
    expect(tables.state()).toMatchObject({ orders: state.orders, transactions: state.transactions });
  });

  it('that has refused its payment keeps a transaction whose refund it counts', async () => {
    const tables = sharedTables();
    await deliver(tables, refund, other);
    tables.setRoom({ orderBytesMax: factsOf(tables, 'A').join('').length + 110 });
    await deliver(tables, { ...payment, amount: '1'.repeat(60) });
    expect(tables.orderViews()).toMatchObject({ A: { events: ['r', 'x'] } });
    readAs(tables, toAnotherOrder);
    expect((await replay(tables)).left).toEqual(left);
    expect(ordersOfT(tables)).toEqual(['A']);
  });

  it('that has refused its payment, and holds a mark of another body, lets the payment move', async () => {
    const tables = sharedTables();
    await deliver(tables, other);
    tables.setRoom(isFull);
    await deliver(tables, payment);
    tables.setRoom(room);
    await deliver(tables, { id: 'p', order: 'C', amount: '7.00' });
    expect(factsOf(tables, 'A').some((fact) => fact.startsWith('["conflict.1","p"'))).toBe(true);
    expect(tables.orderViews()).toMatchObject({ A: { events: ['x'] } });
    tables.setRoom(isFull);
    readAs(tables, toAnotherOrder);
    await replay(tables);
    expect(ordersOfT(tables)).not.toContain('A');
  });
});
