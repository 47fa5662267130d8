import { describe, expect, it } from 'vitest';
import { correctionFact, leftFact } from '../lambdas/domain/fact.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { fact } from './doubles/facts.ts';
import { deliver, moneyOf, readAs } from './doubles/misread.ts';
import { sha256 } from './doubles/older-parser.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter, notedCalls } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const payment = { id: 'p', order: 'A' };
const toAnotherOrder = { id: 'p', order: 'B' };
const refund = { id: 'r', action: 'refunded', amount: '1.00' };
const erased = { order_id: 'A' };

async function readAndReplay(tables: Tables, ...readNow: readonly EventFields[]) {
  for (const event of readNow) readAs(tables, event);
  return tables.act('replay', { event_id: readNow[0]?.id });
}

async function moneyFrom(...events: readonly EventFields[]) {
  const reference = sharedTables();
  await deliver(reference, ...events);
  return moneyOf(reference);
}

const rowOf = ({ events }: Tables, id: string) => events.get(`live:event:${id} event`);
const countedIn = (tables: Tables) =>
  Object.fromEntries(
    Object.entries(moneyOf(tables)).map(([id, { counted }]) => [id, counted.map((one) => one.id)]),
  );

/** From now on, this version reads something else in the first other body of an event, of that kind. */
function readOtherAs({ events }: Tables, kind: 'variant' | 'conflict', fields: EventFields): void {
  const [at, row] = [...events].find(([key]) => key.startsWith(`live:event:${fields.id} ${kind}:`)) ?? [];
  if (at === undefined || row === undefined) throw new Error(`The event ${fields.id} has no ${kind}.`);
  events.set(at, { ...row, body: eventBody(fields) });
}

describe('a replay of a payment', () => {
  it('is left while its former order has room for one of two corrections', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    const former = tables.orders.get('live:order:A')?.facts ?? new Set<string>();
    const facts = [...former, leftFact('T'), correctionFact(fact('p', 'paid'), 1)];
    tables.setRoom({ orderBytesMax: facts.join('').length + 1_060 });
    former.add(JSON.stringify(['refolded.1', 'x'.repeat(1_000)]));
    const { left } = await readAndReplay(tables, toAnotherOrder);
    expect(left).toEqual([{ event_id: 'p', reason: 'order_full' }]);
    expect(rowOf(tables, 'p')?.orderId).toBe('A');
  });

  it.each([
    ['100.00', '1.00'],
    ['1.00', '100.00'],
  ])('of %s counts as %s in an order that its full transaction does not take', async (amount, now) => {
    const tables = sharedTables();
    const others = Array.from({ length: 10 }, (_, n) => ({ id: `q${n}`, order: `O${n}` }));
    const readNow = { id: 'p', order: 'K', amount: now };
    await deliver(tables, { id: 'p', amount }, ...others);
    await readAndReplay(tables, readNow);
    expect(moneyOf(tables)).toEqual(await moneyFrom(...others, readNow));
  });

  it('waits when a payment that moves with it takes the only order out of the transaction', async () => {
    const tables = sharedTables();
    const delivered = { id: 'q', amount: '50.00' };
    await deliver(tables, { id: 'p', order: 'B' }, { ...delivered, order: 'A' });
    readAs(tables, { id: 'p' });
    readAs(tables, delivered);
    await deliver(tables, { id: 'p' });
    await tables.act('replay', { event_id: 'q' });
    expect([countedIn(tables), tables.waiting()]).toEqual([{}, ['live:event:p event', 'live:event:q event']]);
  });

  it('that names no order any more counts in the other order of its transaction', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, { id: 'x', order: 'C' }, refund);
    await readAndReplay(tables, { id: 'p' });
    expect(rowOf(tables, 'p')).toMatchObject({ outcome: 'applied', assignedOrderId: 'C' });
    expect([countedIn(tables), tables.waiting()]).toEqual([{ C: ['p', 'r', 'x'] }, []]);
  });

  it('that names no order and no transaction any more waits, and no row without a key is read', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    readAs(tables, { id: 'p', transaction: null });
    const { gate, of } = notedCalls();
    await tables.act('replay', { event_id: 'p' }, 'ann', gate);
    expect(of('get').filter((call) => call.includes('null'))).toEqual([]);
    expect(tables.waiting()).toEqual(['live:event:p event', 'live:event:r event']);
  });

  it('counts in its order although the transaction that it names by now is full', async () => {
    const tables = sharedTables();
    const inU = { transaction: 'U' };
    const others = Array.from({ length: 10 }, (_, n) => ({ id: `q${n}`, order: `O${n}`, ...inU }));
    await deliver(tables, payment, refund, ...others);
    await readAndReplay(tables, { ...toAnotherOrder, ...inU });
    expect([countedIn(tables)['B'], tables.waiting()]).toEqual([['p'], ['live:event:r event']]);
  });

  it('stays in the order that an operator gave it although the transaction that it names by now is full', async () => {
    const tables = sharedTables();
    const inU = { transaction: 'U' };
    const others = Array.from({ length: 10 }, (_, n) => ({ id: `q${n}`, order: `O${n}`, ...inU }));
    await deliver(tables, { id: 'p' });
    await tables.act('admit', { event_id: 'p', order_id: 'K' });
    await deliver(tables, refund, ...others);
    await readAndReplay(tables, { id: 'p', ...inU });
    expect(rowOf(tables, 'p')).toMatchObject({ outcome: 'applied', assignedOrderId: 'K' });
  });

  it('counts in no order that the full row of its transaction has not taken, however often', async () => {
    const tables = sharedTables();
    const others = Array.from({ length: 10 }, (_, n) => ({ id: `q${n}`, order: `O${n}` }));
    await deliver(tables, ...others, refund, payment);
    expect(countedIn(tables)).toMatchObject({ A: ['p'], O0: ['q0', 'r'], O9: ['q9', 'r'] });
    expect(await tables.differences()).toEqual([]);
    expect(await tables.act('replay', {})).toMatchObject({ status: 200, changed: false });
  });

  it('waits for its full order although the transaction that it names by now is full too', async () => {
    const tables = sharedTables();
    const inB = Array.from({ length: 10 }, (_, n) => ({ id: `x${n}`, order: 'B', transaction: 'X' }));
    await deliver(tables, payment, refund, { id: 'q', order: 'C', transaction: 'U' }, ...inB);
    tables.setRoom({ transactionOrdersMax: 1, orderBytesMax: 600 });
    await readAndReplay(tables, { id: 'p', order: 'B', transaction: 'U' });
    expect(rowOf(tables, 'p')).toMatchObject({
      outcome: 'quarantined',
      waiting: 'order_refused',
      orderId: 'B',
    });
  });

  it('takes another one along that came without an order id, and ends', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'p' }, { id: 'q' });
    for (const order of ['A', 'B']) {
      for (const id of ['p', 'q']) readAs(tables, { id, order });
      for (const event_id of ['p', 'q']) {
        const ending = dyingAfter(1_000)(async () => {});
        expect((await tables.act('replay', { event_id }, 'ann', ending)).status).toBe(200);
      }
      expect(moneyOf(tables)).toEqual(await moneyFrom({ id: 'p', order }, { id: 'q', order }));
    }
  });

  it('moves although this version cannot read a refund that moves with it', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    const row = rowOf(tables, 'r');
    if (row) tables.events.set('live:event:r event', { ...row, body: Buffer.from('{}') });
    expect((await readAndReplay(tables, toAnotherOrder)).left).toEqual([]);
    expect(moneyOf(tables)).toEqual(await moneyFrom(toAnotherOrder, refund));
    expect(rowOf(tables, 'p')?.orderId).toBe('B');
  });

  it('assigns it to none of the other orders of its transaction once it names its own', async () => {
    const tables = sharedTables();
    await deliver(tables, { id: 'p' });
    await readAndReplay(tables, toAnotherOrder);
    await deliver(tables, { id: 'q', order: 'A' });
    await readAndReplay(tables, toAnotherOrder);
    expect(rowOf(tables, 'p')).toMatchObject({ orderId: 'B', outcome: 'applied' });
    expect(rowOf(tables, 'p')).not.toHaveProperty('assignedOrderId');
  });

  it('reads no order and no transaction for what it does not name', async () => {
    const tables = sharedTables();
    await deliver(tables, { ...payment, transaction: null });
    const { gate, of } = notedCalls();
    await tables.act('replay', { event_id: 'p' }, 'ann', gate);
    expect(new Set(of('get'))).toEqual(new Set(['get [{"mode":"live","id":"A"}]']));
  });

  it('that its new order refuses waits', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, { id: 'x', order: 'B', transaction: 'X' });
    tables.orders.get('live:order:B')?.facts.add(JSON.stringify(['refolded.1', 'x'.repeat(1_000)]));
    tables.setRoom({ orderBytesMax: 1_000 });
    await readAndReplay(tables, toAnotherOrder);
    expect(countedIn(tables)).toEqual({ B: ['x'] });
    const state = { orderId: 'B', outcome: 'quarantined', waiting: 'order_refused' };
    expect(rowOf(tables, 'p')).toMatchObject(state);
  });

  it('whose body was erased waits when its order refuses it', async () => {
    const tables = sharedTables();
    await deliver(tables, payment);
    await tables.act('erase', erased);
    tables.orders.clear();
    tables.setRoom({ orderBytesMax: 1 });
    await tables.act('replay', { event_id: 'p' });
    expect(rowOf(tables, 'p')).toMatchObject({ outcome: 'quarantined', waiting: 'order_refused' });
  });
});

describe('a replay of an event with another body', () => {
  it('counts what this version reads in bytes that were a duplicate', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, { ...payment, attempt: 2 });
    const readNow = { ...payment, amount: '170.00', attempt: 2 };
    readOtherAs(tables, 'variant', readNow);
    await tables.act('replay', { event_id: 'p' });
    expect(moneyOf(tables)).toEqual(await moneyFrom(payment, readNow));
  });

  it('counts an admitted body where it belongs, in every reading', async () => {
    const tables = sharedTables();
    const conflicting = { id: 'p', order: 'B', action: 'refunded', amount: '7.00' };
    await deliver(tables, payment, conflicting);
    const body_sha256 = sha256(eventBody(conflicting));
    await tables.act('admit', { event_id: 'p', body_sha256 });
    for (const [order, subject] of [
      ['B', { event_id: 'p' }],
      ['C', { event_id: 'p' }],
      ['B', { order_id: 'C' }],
      ['C', { event_id: 'p' }],
    ] as const) {
      readOtherAs(tables, 'conflict', { ...conflicting, order });
      await tables.act('replay', subject);
      expect(countedIn(tables)).toEqual({ A: ['p'], [order]: ['p'] });
    }
  });

  it('puts each body once, with a retention', async () => {
    const tables = sharedTables({ eventRetentionDays: 30 });
    await deliver(tables, payment, { ...payment, amount: '7.00' });
    const { gate, of } = notedCalls();
    await tables.act('replay', { event_id: 'p' }, 'ann', gate);
    expect(of('put')).toHaveLength(2);
  });
});

describe('a replay of a refund', () => {
  it('counts it in the order that it names by now, also once its payment has come there', async () => {
    const tables = sharedTables();
    await deliver(tables, refund);
    const readNow = { ...refund, order: 'A' };
    await readAndReplay(tables, readNow);
    await deliver(tables, payment);
    expect(moneyOf(tables)).toEqual(await moneyFrom(readNow, payment));
  });

  it('merges nothing into the former order a second time', async () => {
    const tables = sharedTables();
    await deliver(tables, payment, refund);
    await readAndReplay(tables, { ...refund, order: 'B' });
    expect(countedIn(tables)).toEqual({ A: ['p'], B: ['r'] });
    const { gate, of } = notedCalls();
    await tables.act('replay', { event_id: 'r' }, 'ann', gate);
    expect(of('merge').filter((call) => call.includes('"id":"A"'))).toEqual([]);
    expect(of('merge')).toHaveLength(1);
  });

  it('does not count it in an order that has left its transaction, in no reading', async () => {
    const tables = sharedTables();
    const ofU = { ...refund, transaction: 'U' };
    await deliver(tables, { ...payment, transaction: 'U' }, ofU);
    await readAndReplay(tables, payment);
    expect(countedIn(tables)).toEqual({ A: ['p'] });
    await readAndReplay(tables, refund);
    expect(countedIn(tables)).toEqual({ A: ['p', 'r'] });
    await readAndReplay(tables, ofU);
    expect(moneyOf(tables)).toEqual(await moneyFrom(payment, ofU));
  });
});

describe('a replay of an event of which another body is gone', () => {
  const other = { id: 'p', order: 'A', amount: '7.00' };
  const body_sha256 = sha256(eventBody(other));

  /** The other body was judged, and has expired since. */
  async function judged(act: 'admit' | 'dismiss', order: string, isGone: boolean): Promise<Tables> {
    const tables = sharedTables({ eventRetentionDays: 30 });
    const conflict = { ...other, order };
    await deliver(tables, payment, conflict, refund);
    const hash = sha256(eventBody(conflict));
    const named = act === 'admit' ? { order_id: order } : {};
    const { status } = await tables.act(act, { event_id: 'p', body_sha256: hash, ...named });
    expect(status).toBe(200);
    if (isGone) expect(tables.bodies.delete(`live:event:p body:${hash}`)).toBe(true);
    return tables;
  }

  it.each([
    ['dismiss', 'A'],
    ['dismiss', 'C'],
    ['admit', 'A'],
    ['admit', 'C'],
  ] as const)('counts it as with that body, after the act %s of one for the order %s', async (act, order) => {
    const [whole, tables] = [await judged(act, order, false), await judged(act, order, true)];
    for (const one of [whole, tables]) await readAndReplay(one, toAnotherOrder);
    expect(moneyOf(tables)).toEqual(moneyOf(whole));
    expect(moneyOf(tables)).toMatchObject({ B: { status: 'partially_refunded' } });
    expect(await tables.differences()).toEqual([]);
  });

  it('leaves refunds in the order of an admitted payment whose body was erased', async () => {
    const tables = sharedTables();
    await deliver(
      tables,
      { id: 'q', order: 'A' },
      { id: 'p', action: 'disputed', order: 'C' },
      other,
      refund,
    );
    await tables.act('admit', { event_id: 'p', body_sha256, order_id: 'A' });
    await tables.act('erase', { event_id: 'p' });
    await readAndReplay(tables, { id: 'q', order: 'B' });
    expect(countedIn(tables)).toMatchObject({ A: ['p', 'r'], B: ['q', 'r'] });
  });
});
