import { describe, expect, it } from 'vitest';
import { createClassify } from '../../../lambdas/consumer/classify.ts';
import { unknownTime } from '../../../lambdas/ports/rows.ts';
import { sent } from '../../doubles/event-body.ts';
import { meaningOf } from '../../doubles/fold.ts';
import { ann, reason, setUpOperator } from '../../doubles/operations.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });

/** An operator, and what an earlier release has made of these messages. */
async function setUp(messages = [payment, refund], set: Parameters<typeof setUpOperator>[0] = {}) {
  const operator = setUpOperator(set);
  await operator.consume(...messages);
  return operator;
}

describe('a replay of an event', () => {
  it('counts it as this release reads it, and is among the acts of the event and its order', async () => {
    const { act, reread, row, factsOf, actsAt } = await setUp([payment]);
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

  it('changes nothing and has no act when the release reads what is stored', async () => {
    const { act, everything } = await setUp();
    const before = everything();
    const { body } = await act('replay', { event_id: 'p' });
    expect([body.changed, body.replayed, everything()]).toEqual([false, 1, before]);
  });

  it('gives an order its time again that lost it', async () => {
    const { act, tables, order } = await setUp([payment]);
    const row = tables.orders.get('live:order:A');
    if (row) tables.orders.set('live:order:A', { ...row, updatedAt: unknownTime });
    await act('replay', { order_id: 'A', readings: 'stored' });
    expect(tables.orders.get('live:order:A')?.updatedAt).toMatch(/^2026/);
    expect(order('A')?.sequence).toBe(2);
  });

  it('makes the name of an event wait that has lost its meaning', async () => {
    const { act, consume, setMeanings } = setUpOperator();
    setMeanings({ 'transaction.note': 'paid' });
    await consume(sent({ id: 'n', action: 'note', order: 'A' }));
    setMeanings({});
    const asked = { event_name: 'transaction.note', dry_run: true };
    expect((await act('dismiss', asked)).status).toBe(404);
    expect((await act('replay', { event_id: 'n', dry_run: true })).status).toBe(200);
    expect((await act('dismiss', asked)).status).toBe(404);
    expect((await act('replay', { event_id: 'n' })).body.orders).toMatchObject([
      { after: { status: 'pending' } },
    ]);
    expect((await act('dismiss', asked)).status).toBe(200);
  });

  it('moves a payment with the refund that came without an order, and leaves no mark of sharing', async () => {
    const { act, reread, order, row, factsOf, entriesOf } = await setUp();
    reread('p', { orderId: 'B' });
    const { body } = await act('replay', { event_id: 'p' });
    expect(body.orders.map((change: { order_id: string }) => change.order_id)).toEqual(['A', 'B']);
    expect([factsOf('A'), order('A')?.status]).toEqual([[], 'pending']);
    expect(order('B')).toMatchObject({ status: 'partially_refunded', attention: [], events: ['p', 'r'] });
    expect(row('r').assignedOrderIds).toEqual(['B']);
    expect(entriesOf('T')).toContainEqual(['order', 'paid', 'p', 'B']);
  });

  it('with the stored readings only repairs what is derived', async () => {
    const { act, tables, reread, order, row } = await setUp();
    reread('p', { orderId: 'B' });
    tables.orders.delete('live:order:A');
    const { body } = await act('replay', { event_id: 'p', readings: 'stored' });
    expect([body.changed, row('p').reading?.orderId, order('B')]).toEqual([true, 'A', undefined]);
    expect(order('A')?.events).toEqual(['p', 'r']);
  });

  it('is not found for an id that was never received', async () => {
    const { act } = await setUp();
    expect((await act('replay', { event_id: 'q' })).status).toBe(404);
    expect((await act('replay', { order_id: 'Q' })).status).toBe(404);
  });

  it.each([
    [{ event_id: 'p', order_id: 'A' }],
    [{ event_id: 'p', since: '2026-11-21T10:00:00Z' }],
    [{ order_id: 'A', until: '2026-11-21T10:00:00Z' }],
    [{ event_id: 'p', cursor: 'x' }],
    [{ cursor: 'x' }],
  ])('is refused with several subjects, or a cursor of no run: %j', async (fields) => {
    const { act } = await setUp();
    expect((await act('replay', fields)).status).toBe(400);
  });
});

describe('a replay that meets a consumer', () => {
  it('is busy while an invocation may still write what the event was read as', async () => {
    const { act, reread, wait, order } = await setUp([payment], { paceSeconds: 0 });
    reread('p', { orderId: 'B' });
    wait(15);
    const { status, body } = await act('replay', { event_id: 'p' });
    expect([status, body.title, body.retry_after_seconds]).toEqual([409, 'Busy', 45]);
    expect((await act('replay', { event_id: 'p', dry_run: true })).status).toBe(200);
    wait(45);
    expect((await act('replay', { event_id: 'p' })).status).toBe(200);
    expect([order('A')?.events, order('B')?.events]).toEqual([[], ['p']]);
  });

  it('is not busy where it only adds', async () => {
    const { act, tables } = await setUp([payment], { paceSeconds: 0 });
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
    const { act, release, everything } = await setUp();
    release.classify = classify;
    const before = everything();
    const { body } = await act('replay', { event_id: 'p' });
    expect(body).toMatchObject({
      changed: false,
      replayed: 0,
      left: [{ event_id: 'p', reason: leftReason }],
    });
    expect(everything()).toBe(before);
  });

  it('an event with more bodies than one request handles, and one that cannot be read', async () => {
    const { act, tables, row } = await setUp();
    for (let n = 0; n < 50; n += 1)
      tables.events.set(`live:event:p\nconflict:${n}`, {
        ...row('p'),
        record: `conflict:${n}`,
        bodySha256: `${n}`,
      });
    const { status, body } = await act('replay', { order_id: 'A' });
    const left = [{ event_id: 'p', reason: 'too_many_bodies' }];
    expect([status, body]).toMatchObject([200, { replayed: 1, left, next_cursor: null }]);
  });

  it('the money of an event whose row is missing', async () => {
    const { act, tables, order } = await setUp();
    tables.events.delete('live:event:p\nevent');
    const before = order('A');
    const { body } = await act('replay', { order_id: 'A' });
    expect([body.changed, order('A')]).toEqual([false, before]);
    expect(body).toMatchObject({ replayed: 1, left: [{ event_id: 'p', reason: 'fact_without_event' }] });
    await act('replay', { order_id: 'A', readings: 'stored' });
    expect(order('A')).toEqual(before);
  });

  it('bodies in quarantine, which wait for a person', async () => {
    const { act, consume, everything } = await setUp();
    await consume(sent({ id: 'q', order: 'A', sandbox: true }));
    const before = everything();
    expect((await act('replay', { event_id: 'q' })).body.changed).toBe(false);
    expect(everything()).toBe(before);
  });
});

it('a run shows what it has changed beside an event that has to wait', async () => {
  const { act, consume, reread, wait } = setUpOperator({ paceSeconds: 1 });
  await consume(sent({ id: 'b', order: 'B', transaction: 'T2' }));
  wait(100);
  await consume(payment);
  for (const [id, orderId] of [
    ['p', 'A2'],
    ['b', 'B2'],
  ] as const)
    reread(id, { orderId });
  const { status, body } = await act('replay', { since: '2026-11-01T00:00:00Z' });
  const changed = body.orders.map(({ order_id }: { order_id: string }) => order_id);
  expect([status, changed, body.replayed]).toEqual([200, ['B', 'B2'], 1]);
  expect(body.retry_after_seconds).toBeGreaterThan(0);
  wait(100);
  const rest = await act('replay', { since: '2026-11-01T00:00:00Z', cursor: body.next_cursor });
  expect(rest.body.orders.map(({ order_id }: { order_id: string }) => order_id)).toEqual(['A', 'A2']);
});
