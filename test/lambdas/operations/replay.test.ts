import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/receive.ts';
import { sharedFact } from '../../../lambdas/domain/fact.ts';
import { unknownTime } from '../../../lambdas/ports/rows.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { meaningOf } from '../../doubles/fold.ts';
import { ann, operatorAfter, reason, setUpOperator } from '../../doubles/operations.ts';

describe('a replay of an event', () => {
  it('counts it as this release reads it, and is among the acts of the event and its order', async () => {
    const { act, reread, row, factsOf, actsAt } = await operatorAfter([payment]);
    reread('p', { amount: '70.00' });
    const { status, body } = await act('replay', { event_id: 'p' });
    const response = { act: 'replay', changed: true, replayed: 1, left: [], next_cursor: null };
    expect([status, body]).toMatchObject([200, { ...response, retry_after_seconds: null, events: [] }]);
    expect(body.orders).toMatchObject([
      {
        ...{ order_id: 'A', before: { sequence: 1, transactions: [{ amount: '100.00' }] } },
        after: { sequence: 2, transactions: [{ amount: '70.00' }] },
      },
    ]);
    expect(factsOf('A')).toEqual(['["paid","p","transaction.paid","T","70.00","USD",null]']);
    expect(row('p').reading?.amount).toBe('70.00');
    const audit = { act: 'replay', by: ann, at: body.at, reason, eventId: 'p' };
    for (const key of ['live:event:p', 'live:order:A']) expect(await actsAt(key)).toEqual([audit]);
  });

  it('gives an order its time again that lost it', async () => {
    const { act, tables, order } = await operatorAfter([payment]);
    for (const [key, row] of tables.orders) tables.orders.set(key, { ...row, updatedAt: unknownTime });
    await act('replay', { order_id: 'A', readings: 'stored' });
    expect(tables.orders.get('live:order:A')?.updatedAt).toMatch(/^2026/);
    expect(order('A')?.sequence).toBe(2);
  });

  it('makes the name of an event wait that has lost its meaning, which its dry run does not', async () => {
    const { act, consume, order, setMeanings, tables } = setUpOperator();
    setMeanings({ 'transaction.note': 'paid' });
    await consume(sent({ id: 'n', action: 'note', order: 'A' }));
    setMeanings({});
    await act('replay', { event_id: 'n', dry_run: true });
    expect(tables.names.size).toBe(0);
    await act('replay', { event_id: 'n' });
    expect(order('A')?.status).toBe('pending');
    expect(tables.names.get('live:name:transaction.note')?.waiting).toBe('event_name');
  });

  it('with the stored readings only repairs what is derived', async () => {
    const { act, tables, reread, order, row } = await operatorAfter([payment, refund]);
    reread('p', { orderId: 'B' });
    tables.orders.delete('live:order:A');
    const { body } = await act('replay', { event_id: 'p', readings: 'stored' });
    expect([body.changed, row('p').reading?.orderId, order('B')]).toEqual([true, 'A', undefined]);
    expect(order('A')?.events).toEqual(['p', 'r']);
  });
});

describe('a replay that meets a consumer', () => {
  type Damage = (operator: ReturnType<typeof setUpOperator>) => unknown;
  const holds =
    (text: string): Damage =>
    ({ tables }) =>
      tables.orders.forEach((row, key) => {
        tables.orders.set(key, { ...row, facts: [...row.facts, text] });
      });
  const stray = '["paid","p","transaction.paid","T","1.00","USD",null]';

  it.each<[string, Damage]>([
    [
      'its fact, which is in no order yet',
      (operator) => {
        operator.tables.orders.clear();
        operator.tables.transactions.clear();
        operator.reread('p', { orderId: 'B' });
      },
    ],
    ['a fact that its order is to lose', holds(stray)],
    ['a mark that its order is to lose', holds(sharedFact('T'))],
  ])('is busy while an invocation may still write %s', async (_, damage) => {
    const operator = await operatorAfter([payment], { paceSeconds: 0 });
    const { act, wait, verify } = operator;
    damage(operator);
    wait(15);
    const { status, body } = await act('replay', { event_id: 'p' });
    expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 45]);
    expect((await act('replay', { event_id: 'p', dry_run: true })).status).toBe(200);
    wait(45);
    expect((await act('replay', { event_id: 'p' })).body.changed).toBe(true);
    expect(await verify()).toEqual([]);
  });

  it('is busy while an event of its transaction has just been joined', async () => {
    const { act, reread, tables, clock } = await operatorAfter([payment]);
    reread('p', { orderId: 'B' });
    const joinedAt = new Date(clock.now + 3_600_000).toISOString();
    for (const [key, row] of tables.transactions) tables.transactions.set(key, { ...row, joinedAt });
    expect((await act('replay', { event_id: 'p' })).body).toMatchObject({ retry_after_seconds: 60 });
  });

  it('is not busy where it only adds', async () => {
    const { act, tables } = await operatorAfter([payment], { paceSeconds: 0 });
    tables.orders.delete('live:order:A');
    expect((await act('replay', { event_id: 'p' })).status).toBe(200);
  });
});

describe('a replay leaves', () => {
  it.each([
    ['is no event', createClassify(meaningOf, () => ({ ok: false, reason: 'id_missing' })), 'id_missing'],
    [
      'is for the sandbox',
      (message: { readonly body: Uint8Array }) => createClassify(meaningOf)({ ...message, mode: 'sandbox' }),
      'sandbox_flag_disagrees',
    ],
  ])('an event that %s for this release, and lists it with its reason', async (_, classify, leftReason) => {
    const { act, release, everything } = await operatorAfter([payment]);
    release.classify = classify;
    const before = everything();
    const { body } = await act('replay', { event_id: 'p' });
    const left = [{ event_id: 'p', reason: leftReason }];
    expect(body).toMatchObject({ changed: false, replayed: 0, left });
    expect(everything()).toBe(before);
  });

  it('an event with more bodies than one request handles', async () => {
    const bodies = Array.from({ length: 50 }, (_, n) => sent({ id: 'p', order: `${n}`, sandbox: true }));
    const { act } = await operatorAfter([payment, refund, ...bodies]);
    const { status, body } = await act('replay', { order_id: 'A' });
    const left = [{ event_id: 'p', reason: 'too_many_bodies' }];
    expect([status, body]).toMatchObject([200, { replayed: 1, left, next_cursor: null }]);
  });

  it.each(['current', 'stored'])(
    'the money of an event whose row is missing, with %s readings',
    async (readings) => {
      const { act, tables, order } = await operatorAfter([payment, refund]);
      tables.events.delete('live:event:p\nevent');
      const before = order('A');
      const { body } = await act('replay', { order_id: 'A', readings });
      expect([body.changed, order('A')]).toEqual([false, before]);
      expect(body).toMatchObject({ replayed: 1, left: [{ event_id: 'p', reason: 'fact_without_event' }] });
    },
  );
});

it.each([
  ['ends its page before an event that is busy', 'c', {}],
  ['of an order goes on at its beginning when the first event was busy', 'a', { order_id: 'A' }],
])('a run %s, and says when to go on', async (_, id, fields) => {
  const earlier = sent({ id: 'b', order: 'A', transaction: 'b' });
  const { act, consume, reread, wait, order } = await operatorAfter([earlier], { paceSeconds: 0 });
  wait(600);
  await consume(sent({ id, order: 'A', transaction: id }));
  wait(20);
  for (const moved of ['b', id]) reread(moved, { orderId: 'Z' });
  const { status, body } = await act('replay', fields);
  expect([status, body.replayed, body.retry_after_seconds]).toEqual([200, 1, 40]);
  const again = { ...fields, cursor: body.next_cursor };
  if (id === 'c') expect((await act('replay', again)).body).toMatchObject({ title: 'Busy' });
  wait(40);
  const last = await act('replay', again);
  expect([last.body.next_cursor, order('Z')?.events]).toEqual([null, ['b', id].sort()]);
});
