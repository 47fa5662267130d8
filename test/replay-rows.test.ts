import { expect, it } from 'vitest';
import type { EventRow } from '../lambdas/ports/stores.ts';
import type { EventFields } from './doubles/event-body.ts';
import { eventBody } from './doubles/event-body.ts';
import { fact, paid } from './doubles/facts.ts';
import { fold } from './doubles/fold.ts';
import { deliver, readAs } from './doubles/misread.ts';
import { sha256 } from './doubles/older-parser.ts';
import { sharedTables } from './doubles/operators-at-once.ts';

type Tables = ReturnType<typeof sharedTables>;

/** What the row of the event e says: every attribute but those of its receipt. */
function rowOf({ events }: Tables) {
  const row = events.get('live:event:e event');
  if (row === undefined) throw new Error('The event has no row.');
  const { key, record, mode, eventId, body, bodySha256, signature, keyId, receivedAt, recordedAt, ...says } =
    row;
  return says;
}

const refund = { id: 'e', action: 'refunded' };
const waits = { outcome: 'unassigned', waiting: 'unassigned' };

it.each<[string, EventFields, EventFields, object]>([
  [
    'another order',
    { id: 'e', order: 'A' },
    { id: 'e', order: 'B' },
    { orderId: 'B', transactionId: 'T', eventName: 'transaction.paid', fact: paid('e'), outcome: 'applied' },
  ],
  [
    'neither order nor transaction',
    { id: 'e', order: 'A' },
    { id: 'e', transaction: null },
    { eventName: 'transaction.paid', fact: paid('e', { transactionId: null }), ...waits },
  ],
  [
    'another name',
    { id: 'e', order: 'A', transaction: null },
    { id: 'e', order: 'A', transaction: null, action: 'refunded' },
    {
      ...{ orderId: 'A', eventName: 'transaction.refunded', outcome: 'applied' },
      fact: fact('e', 'refunded', { transactionId: null }),
    },
  ],
  [
    'another transaction, while it waits',
    refund,
    { ...refund, transaction: 'U' },
    {
      ...{ transactionId: 'U', eventName: 'transaction.refunded' },
      ...{ fact: fact('e', 'refunded', { transactionId: 'U' }), ...waits },
    },
  ],
  [
    'another name, while it waits',
    refund,
    { id: 'e', action: 'disputed' },
    { transactionId: 'T', eventName: 'transaction.disputed', fact: fact('e', 'disputed'), ...waits },
  ],
  [
    'another amount, while it waits',
    refund,
    { ...refund, amount: '5.00' },
    {
      ...{ transactionId: 'T', eventName: 'transaction.refunded' },
      ...{ fact: fact('e', 'refunded', { amount: '5.00' }), ...waits },
    },
  ],
])(
  'the row of an event says after a replay that reads %s in it what the body says',
  async (_, was, is, says) => {
    const tables = sharedTables();
    await deliver(tables, was);
    readAs(tables, is);
    expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ status: 200, changed: true });
    expect(tables.acts.get('live:event:e')).toHaveLength(1);
    expect(rowOf(tables)).toStrictEqual(says);
  },
);

it('a refund in two orders is assigned to the least, and to none when it names its order', async () => {
  const tables = sharedTables();
  await deliver(tables, refund, { id: 'p', order: 'b' }, { id: 'q', order: 'a' });
  readAs(tables, { ...refund, amount: '5.00' });
  await tables.act('replay', { event_id: 'e' });
  expect(rowOf(tables)).toMatchObject({ assignedOrderId: 'a', outcome: 'applied' });
  readAs(tables, { ...refund, order: 'b' });
  await tables.act('replay', { event_id: 'e' });
  expect(rowOf(tables)).toStrictEqual({
    ...{ orderId: 'b', transactionId: 'T', eventName: 'transaction.refunded' },
    ...{ outcome: 'applied', fact: fact('e', 'refunded') },
  });
});

it.each([
  ['keeps its end where the event moves to another order', { id: 'e', order: 'B' }, 2_000_000_000],
  ['has no end where the event waits from then on', { id: 'e' }, undefined],
])('a body that expires %s', async (_, is, expiresAt) => {
  const tables = sharedTables({ eventRetentionDays: 30 });
  await deliver(tables, { id: 'e', order: 'A' });
  const [body, key] = [eventBody(is), 'live:event:e'];
  const [row, bodySha256] = [tables.events.get(`${key} event`), sha256(body)];
  if (row) tables.events.set(`${key} event`, { ...row, bodySha256 });
  tables.bodies.set(`${key} body:${bodySha256}`, { key, bodySha256, body, expiresAt: 2_000_000_000 });
  expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ changed: true });
  expect(tables.bodies.get(`${key} body:${bodySha256}`)?.expiresAt).toBe(expiresAt);
});

const claim = { verdict: 'admitted', by: 'b', at: 'a', reason: 'r', orderId: 'X' } as const;

it.each([
  ['whose admission is under way', { judged: claim }, refund],
  ['whose body was erased', { body: undefined }, refund],
])('a replay leaves an event that waits and %s', async (_, state, was) => {
  const tables = sharedTables();
  await deliver(tables, was);
  readAs(tables, { ...was, order: 'A' });
  const { body, ...row } = tables.events.get('live:event:e event') ?? {};
  const waiting = { ...row, ...('judged' in state && { body }), ...('judged' in state && state) };
  tables.events.set('live:event:e event', waiting as never);
  const left = [{ event_id: 'e', reason: 'waiting' }];
  expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ changed: false, left });
  expect([tables.events.get('live:event:e event'), tables.orders.size]).toEqual([waiting, 0]);
});

it.each([undefined, 30])(
  'other bytes that say the same by now become evidence, with their signature (retention %s)',
  async (eventRetentionDays) => {
    const tables = sharedTables({ eventRetentionDays });
    const other = { id: 'e', order: 'A', attempt: 2 };
    await deliver(tables, { id: 'e', order: 'B' }, other);
    const [at, hash] = ['live:event:e', sha256(eventBody(other))];
    const signature = tables.events.get(`${at} conflict:${hash}`)?.signature;
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    readAs(tables, { id: 'e', order: 'A' });
    await tables.act('replay', { event_id: 'e' });
    expect(tables.events.get(`${at} variant:${hash}`)).toMatchObject({ orderId: 'A', signature });
    expect(tables.orderViews()).toMatchObject({ A: { events: ['e'] }, B: { events: [] } });
  },
);

it('a mark of a conflict stays where this version reads none, and is not taken for a fact of the event', async () => {
  const tables = sharedTables();
  const other = { id: 'e', order: 'B', attempt: 2 };
  await deliver(tables, { id: 'e', order: 'A' }, other);
  const at = `live:event:e conflict:${sha256(eventBody(other))}`;
  const row = tables.events.get(at);
  const facts = () => [...(tables.orders.get('live:order:B')?.facts ?? [])];
  const before = facts();
  expect(before.map((text) => JSON.parse(text)[0])).toEqual(['conflict.1']);
  if (row) tables.events.set(at, { ...row, body: eventBody({ ...other, order: 'A' }) });
  await tables.act('replay', { order_id: 'B' });
  expect(facts()).toEqual(before);
});

it('a replay of one event merges none of another one of its transaction', async () => {
  const tables = sharedTables();
  await deliver(tables, { id: 'p', order: 'A' }, refund, { ...refund, id: 'f', amount: '1.00' });
  const order = tables.orders.get('live:order:A');
  order?.facts.delete(fact('e', 'refunded'));
  expect(await tables.act('replay', { event_id: 'f' })).toMatchObject({ changed: false });
  expect(order?.facts.has(fact('e', 'refunded'))).toBe(false);
});

it.each(['T', null])(
  'an admission counts an event of the transaction %s again in an order that a replay took it out of',
  async (transaction) => {
    const tables = sharedTables();
    await deliver(tables, { id: 'e', order: 'A', transaction });
    readAs(tables, { id: 'e', transaction });
    await tables.act('replay', { event_id: 'e' });
    expect(tables.orderViews()).toMatchObject({ A: { status: 'pending', events: [] } });
    await tables.act('admit', { event_id: 'e', order_id: 'A' });
    expect(tables.orderViews()).toMatchObject({ A: { status: 'paid', events: ['e'] } });
    expect(await tables.act('replay', { event_id: 'e' })).toMatchObject({ changed: false });
    expect(tables.transactions.size).toBe(transaction === null ? 0 : 1);
  },
);

it('a refund that this version reads in another transaction leaves every order of the former one', async () => {
  const tables = sharedTables();
  await deliver(tables, refund, { id: 'p', order: 'A' }, { id: 'q', order: 'B' });
  expect(tables.orderViews()).toMatchObject({ A: { status: 'refunded' }, B: { status: 'refunded' } });
  readAs(tables, { ...refund, transaction: 'U' });
  await tables.act('replay', { event_id: 'e' });
  expect(tables.orderViews()).toMatchObject({ A: { status: 'paid' }, B: { status: 'paid' } });
  await deliver(tables, { id: 's', order: 'C', transaction: 'U' }, { id: 't', order: 'D' });
  expect(tables.orderViews()).toMatchObject({ C: { status: 'refunded' }, D: { status: 'paid' } });
});

it('another body of an event counts where this version reads it, as often as that changes', async () => {
  const tables = sharedTables();
  const own = { id: 'e', order: 'A', amount: '1.00' };
  const other = { id: 'e', order: 'A', amount: '7.00' };
  await deliver(tables, own, other);
  const at = `live:event:e conflict:${sha256(eventBody(other))}`;
  for (const order of ['B', 'A', 'B']) {
    readAs(tables, { ...own, order });
    tables.events.set(at, { ...(tables.events.get(at) as EventRow), body: eventBody({ ...other, order }) });
    await tables.act('replay', { event_id: 'e' });
    for (const held of ['A', 'B']) await tables.act('replay', { order_id: held });
    const amounts = [...tables.orders.values()].map(({ order: { id }, facts }) => [
      id,
      fold(facts).transactions.map(({ amount }) => amount),
    ]);
    expect(Object.fromEntries(amounts)).toEqual({ A: [], B: [], [order]: ['7.00'] });
  }
});
