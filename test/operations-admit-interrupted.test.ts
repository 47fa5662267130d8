import { describe, expect, it } from 'vitest';
import { createOperations } from '../lambdas/operations/operations.ts';
import type { OperationsParts } from '../lambdas/operations/parts.ts';
import type { JudgementChange } from '../lambdas/ports/judgements.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { setUpOperator } from './doubles/operator.ts';
import { sharedTables } from './doubles/operators-at-once.ts';
import { dyingAfter } from './doubles/turns.ts';

type Tables = ReturnType<typeof sharedTables>;

const sent = (fields: EventFields) => ({ body: eventBody(fields) });
/** Quarantined, because no order can have this id; it is recorded without it. */
const nameless = sent({ id: 'e', order: 'x'.repeat(1_025) });
/** Quarantined, because the flag of the body is not that of its key. */
const crossed = (fields: EventFields) => ({
  body: Buffer.from(eventBody(fields).toString().replace('false', 'true')),
});
const toA = { event_id: 'e', order_id: 'A' };
const open = async () => {};
const full = '["full.1"]';
const rowOf = ({ events }: Tables, kind: string) =>
  [...events.values()].find(({ record }) => record.startsWith(kind));
const ownRow = (tables: Tables) => rowOf(tables, 'event');

/** Tables in which an admission of `body` to the order A ended before the first call after `isReached`. */
async function interruptedOnce(isReached: (tables: Tables) => boolean, body = nameless): Promise<Tables> {
  for (let at = 0; at < 100; at += 1) {
    const tables = sharedTables();
    await tables.consume(body);
    await tables.act('admit', toA, 'ann', dyingAfter(at)(open));
    if (isReached(tables)) return tables;
  }
  throw new Error('The admission never gets there.');
}

const isRecorded = (tables: Tables) => ownRow(tables) !== undefined;

describe('an admission out of quarantine that was interrupted', () => {
  it.each([
    ['names its order', crossed({ id: 'e', order: 'A' })],
    ['was given its order', nameless],
  ])('is completed for a body that %s, which has the event and has become full since', async (_, body) => {
    const tables = await interruptedOnce(({ orders }) => orders.has('live:order:A'), body);
    expect(tables.waiting()).not.toEqual([]);
    tables.orders.get('live:order:A')?.facts.add(full);
    expect(await tables.act('admit', toA)).toMatchObject({ status: 200, changed: true });
    expect(tables.waiting()).toEqual([]);
    expect(tables.orderViews()).toMatchObject({ A: { events: ['e'] } });
  });

  /** The event is delivered in order too, and its payment names an order. */
  const paidIn = async ({ consume }: Tables, order: string) => {
    await consume(sent({ id: 'e' }));
    await consume(sent({ id: 'p', order }));
  };

  it('leaves an event without a judgement that its payment has brought into the order since', async () => {
    const tables = await interruptedOnce(isRecorded);
    await paidIn(tables, 'A');
    const applied = ownRow(tables);
    expect(applied).toMatchObject({ outcome: 'applied', assignedOrderId: 'A' });
    expect(await tables.act('admit', toA)).toMatchObject({ status: 200, changed: true });
    expect([ownRow(tables), tables.waiting()]).toEqual([applied, []]);
    expect(tables.orderViews()).toMatchObject({ A: { events: ['e', 'p'] } });
  });

  it('is refused when its payment brings the event into another order in that moment', async () => {
    for (let at = 1; at < 100; at += 1) {
      const tables = await interruptedOnce(isRecorded);
      let calls = 0;
      const { status, detail } = await tables.act('admit', toA, 'ann', async () => {
        calls += 1;
        if (calls === at) await paidIn(tables, 'B');
      });
      if (status !== 409 || !detail.startsWith('The event "e" is applied')) continue;
      expect(detail).toBe('The event "e" is applied to the order "B" already.');
      expect([ownRow(tables)?.judged, rowOf(tables, 'quarantine')?.judged]).toEqual([undefined, undefined]);
      expect(tables.waiting()).toEqual([expect.stringMatching('^live:event:e quarantine:')]);
      return expect(tables.orderViews()).toEqual({ B: expect.objectContaining({ events: ['e', 'p'] }) });
    }
    throw new Error('The payment never comes in that moment.');
  });
});

describe('the decision that another operator makes meanwhile', () => {
  const bob = {
    verdict: 'dismissed',
    by: 'bob',
    at: '2026-11-22T08:00:00.000Z',
    reason: 'not ours',
  } as const;
  const dismissBy = async ({ judgements }: OperationsParts, row: JudgementChange['row']) =>
    void (await judgements.judge({ row, expected: {}, judged: bob, waiting: null }));
  const ofR = { key: 'live:event:r', record: 'event', mode: 'live' } as const;
  const refund = sent({ id: 'r', action: 'refunded' });

  it.each<[string, number, (parts: OperationsParts) => Partial<OperationsParts>]>([
    [
      'an admission is refused for a full order',
      409,
      (parts) => ({
        orders: {
          ...parts.orders,
          async get(order) {
            await dismissBy(parts, ofR);
            return { order, facts: [full], updatedAt: '' };
          },
        },
      }),
    ],
    [
      'an admission is refused after its claim',
      409,
      (parts) => ({
        transactions: {
          ...parts.transactions,
          async join() {
            await dismissBy(parts, ofR);
            return { orderIds: ['B'], facts: [] };
          },
        },
      }),
    ],
    [
      'an admission ends the wait',
      200,
      (parts) => ({
        judgements: {
          ...parts.judgements,
          async judge(change) {
            if (change.row.record !== 'event' && change.waiting === null) await dismissBy(parts, change.row);
            return parts.judgements.judge(change);
          },
        },
      }),
    ],
  ])('stays when %s', async (_, expected, parts) => {
    const { act, consume, row } = await setUpOperator({ parts });
    await consume(expected === 409 ? refund : crossed({ id: 'r', order: 'A' }));
    const { status } = await act('admit', { event_id: 'r', order_id: 'A' });
    expect([status, (await row('r', expected === 409 ? 'event' : 'quarantine')).judged]).toEqual([
      expected,
      bob,
    ]);
  });
});

it.each(['admit', 'dismiss'] as const)(
  'to %s again leaves what another operator decides meanwhile',
  async (name) => {
    let happens = async () => {};
    const { act, consume, judgements, row } = await setUpOperator({
      parts: (parts) => ({
        judgements: {
          ...parts.judgements,
          async judge(change) {
            await happens();
            return parts.judgements.judge(change);
          },
        },
      }),
    });
    await consume(crossed({ id: 'r', order: 'A' }));
    await act(name, { event_id: 'r' });
    const quarantined = await row('r', 'quarantine');
    const by = {
      verdict: 'dismissed',
      by: 'bob',
      at: '2026-11-22T08:00:00.000Z',
      reason: 'not ours',
    } as const;
    happens = async () => void (await judgements.judge({ row: quarantined, expected: {}, judged: by }));
    await act(name, { event_id: 'r' });
    expect((await row('r', 'quarantine')).judged).toEqual(by);
  },
);

it('an admission is among the acts of its order, also when it was interrupted after any of its calls', async () => {
  let status = 0;
  for (let at = 0; at < 100 && status !== 200; at += 1) {
    const tables = sharedTables();
    await tables.consume(nameless);
    ({ status } = await tables.act('admit', toA, 'ann', dyingAfter(at)(open)));
    await tables.act('admit', toA);
    expect([at, tables.acts.get('live:order:A')]).toEqual([at, [expect.objectContaining({ eventId: 'e' })]]);
  }
  expect(status).toBe(200);
});

it('an admission that is repeated has its decision, although a payment has assigned another order since', async () => {
  const { act, consume } = await setUpOperator();
  await consume(sent({ id: 'r', action: 'refunded' }));
  const fields = { event_id: 'r', order_id: 'B' };
  const { by, at } = (await act('admit', fields, 'ann')).body;
  await consume(sent({ id: 'p', order: 'A' }));
  const { status, body } = await act('admit', fields, 'bob');
  expect([status, body]).toMatchObject([200, { changed: false, by, at }]);
});

it.each([
  ['the dismissal of a name', sent({ id: 'n', action: 'settled', order: 'A' }), 'dismiss', 'event_name'],
  ['the erasure of an order', sent({ id: 'n', order: 'A' }), 'erase', 'order_id'],
] as const)('%s is stored with what it is about, and nowhere else', async (_, delivered, name, field) => {
  const tables = sharedTables();
  await tables.consume(delivered);
  const subject = { event_name: 'transaction.settled', order_id: 'A' }[field];
  expect(await tables.act(name, { [field]: subject })).toMatchObject({ status: 200, changed: true });
  const all = { event_name: ['live:name:transaction.settled'], order_id: ['live:event:n', 'live:order:A'] };
  expect([...tables.acts.keys()].toSorted()).toEqual(all[field]);
});

it('an id such as "undefined" is not taken for a missing one', async () => {
  const { act, consume, orders, order, row } = await setUpOperator();
  await consume(sent({ id: 'p', order: 'undefined', transaction: 'undefined' }));
  await orders.merge({ order: { mode: 'live', id: 'undefined' }, facts: [full], now: () => new Date() });
  await consume(sent({ id: 'e', transaction: null }));
  expect((await act('admit', toA)).status).toBe(200);
  expect(await order('A')).toMatchObject({ events: ['e'] });
  await consume(sent({ id: 'r', action: 'refunded' }), sent({ id: 'r', action: 'refunded', amount: '1.00' }));
  const { bodySha256 } = await row('r', 'conflict');
  expect((await act('admit', { event_id: 'r', body_sha256: bodySha256 })).status).toBe(200);
});

describe('the body of an event that was dismissed with a retention', () => {
  it.each([
    ['expires no more once it is admitted', 'admit', null],
    ['expires still when the dismissal is repeated', 'dismiss', expect.any(Number)],
  ])('%s, although the setting is gone since', async (_, name, expiry) => {
    const { act, consume, row, bodyExpiry, ...parts } = await setUpOperator({ eventRetentionDays: 30 });
    await consume(crossed({ id: 'e', order: 'A' }));
    await act('dismiss', { event_id: 'e' });
    const { key, bodySha256 } = await row('e', 'quarantine');
    expect(await bodyExpiry(key, bodySha256)).toEqual(expect.any(Number));
    const api = createOperations({ ...parts, eventRetentionDays: undefined });
    const body = JSON.stringify({ event_id: 'e', reason: 'it is theirs' });
    const { statusCode } = await api(gatewayEvent({ routeKey: `POST /operations/${name}`, body }));
    expect([statusCode, await bodyExpiry(key, bodySha256)]).toEqual([200, expiry]);
  });

  it('expires again once it is admitted as a conflict of an event that waits', async () => {
    const { act, consume, row, bodyExpiry } = await setUpOperator({ eventRetentionDays: 30 });
    const refund = (amount: string) => sent({ id: 'r', action: 'refunded', amount });
    await consume(refund('5.00'), refund('7.00'));
    const { key, bodySha256 } = await row('r', 'conflict');
    for (const name of ['dismiss', 'admit'] as const) {
      expect((await act(name, { event_id: 'r', body_sha256: bodySha256 })).status).toBe(200);
      expect([name, await bodyExpiry(key, bodySha256)]).toEqual([name, expect.any(Number)]);
    }
    expect((await row('r')).waiting).toBe('unassigned');
  });
});
