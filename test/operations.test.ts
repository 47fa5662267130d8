import { createHash } from 'node:crypto';
import { bytesOf, paidEvent, refundedEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../lambdas/domain/assumptions.ts';
import type { OperationsParts } from '../lambdas/operations/parts.ts';
import { memoryWaiting } from './doubles/memory-waiting.ts';
import { operationsOver } from './doubles/operations.ts';
import { consumedStores, request } from './doubles/order-query.ts';
import type { SentBody } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const recordedAt = '2026-11-21T10:00:01.000Z';
const order = { orderId: 'order-1', transactionId: 'txn-1' };
const nameless = { ...order, orderId: '' };
const { sandbox: _, ...withoutFlag } = paidEvent({ ...order, eventId: 'flagless' });
const flagless = Buffer.from(JSON.stringify(withoutFlag));
/** One body of every kind that waits, but that of a full order. */
const waitingBodies: readonly SentBody[] = [
  { body: bytesOf(unknownEvent({ ...order, eventName: 'charge.won', eventId: 'unknown' })) },
  { body: Buffer.from('no JSON') },
  { body: bytesOf(paidEvent({ ...order, eventId: 'paid' })) },
  { body: bytesOf(paidEvent({ ...order, eventId: 'paid', amount: '1.00' })) },
  { body: flagless },
  { body: bytesOf(refundedEvent({ orderId: '', transactionId: 'txn-9', eventId: 'early' })) },
];
const refunded = bytesOf(refundedEvent({ ...nameless, eventId: 'refunded' }));

/** The operations API over what the consumer made of these bodies. */
async function setUp(sent: readonly SentBody[], parts: Partial<OperationsParts> = {}) {
  const stores = await consumedStores(...sent);
  const api = operationsOver(stores, parts);
  const get = (routeKey: string, parameters: Record<string, string> = {}) =>
    request(api, { routeKey, queryStringParameters: parameters });
  return { ...stores, get };
}

describe('GET /operations/waiting/counts', () => {
  it('counts every kind in both modes, with the time of the oldest', async () => {
    const paid = bytesOf(paidEvent({ ...order, eventId: 'paid' }));
    const { get } = await setUp([
      { body: paid },
      { body: refunded },
      { body: Buffer.from('no JSON') },
      { body: bytesOf(paidEvent({ ...order, eventId: 'paid', amount: '1.00' })), mode: 'sandbox' },
      { body: bytesOf(unknownEvent({ ...order, eventId: 'unknown' })) },
    ]);
    const { status, body } = await get('GET /operations/waiting/counts');
    const none = { count: 0, oldest_recorded_at: null };
    const one = { count: 1, oldest_recorded_at: recordedAt };
    expect(status).toBe(200);
    expect(body.counts).toEqual([
      { mode: 'live', kind: 'unassigned', ...none },
      { mode: 'live', kind: 'quarantined', ...none },
      { mode: 'live', kind: 'order_refused', ...none },
      { mode: 'live', kind: 'conflict', ...none },
      { mode: 'live', kind: 'unrecognised', ...one },
      { mode: 'live', kind: 'event_name', ...one },
      { mode: 'sandbox', kind: 'unassigned', ...none },
      { mode: 'sandbox', kind: 'quarantined', ...one },
      { mode: 'sandbox', kind: 'order_refused', ...none },
      { mode: 'sandbox', kind: 'conflict', ...none },
      { mode: 'sandbox', kind: 'unrecognised', ...none },
      { mode: 'sandbox', kind: 'event_name', ...none },
    ]);
  });

  it('leaves out the event names that have been given a meaning', async () => {
    const unknown = bytesOf(unknownEvent({ ...order, eventName: 'charge.won', eventId: 'unknown' }));
    const meaningOf = createMeaningOf({ 'charge.won': 'history' });
    const { get } = await setUp([{ body: unknown }], { meaningOf });
    const { body } = await get('GET /operations/waiting/counts');
    const names = body.counts.filter(({ kind }: { kind: string }) => kind === 'event_name');
    expect(names.map(({ count }: { count: number }) => count)).toEqual([0, 0]);
  });

  it('refuses parameters', async () => {
    const { get } = await setUp([]);
    const { status, body } = await get('GET /operations/waiting/counts', { mode: 'live' });
    expect(status).toBe(400);
    expect(body.detail).toBe('The parameter mode is "live"; expected no parameters.');
  });
});

describe('GET /operations/waiting', () => {
  const list = 'GET /operations/waiting';
  const namesOf = (body: { readonly events: readonly { readonly event_name: string | null }[] }) =>
    body.events.map(({ event_name }) => event_name);

  it('lists what waits in the order of the kinds, without customer data', async () => {
    const { get } = await setUp(waitingBodies);
    const { status, body } = await get(list);
    expect(status).toBe(200);
    expect(body.next_cursor).toBeNull();
    expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'unassigned',
      'quarantined',
      'conflict',
      'unrecognised',
      'event_name',
    ]);
    expect(body.events[1]).toEqual({
      kind: 'quarantined',
      outcome: 'quarantined',
      reason: 'sandbox_flag_missing',
      event_id: 'flagless',
      event_name: 'transaction.paid',
      order_id: 'order-1',
      transaction_id: 'txn-1',
      received_at: '2026-11-21T10:00:00.000Z',
      recorded_at: recordedAt,
      body_sha256: createHash('sha256').update(flagless).digest('hex'),
      key_id: '9a76d0a46113',
    });
    expect(body.events[3]).toMatchObject({ event_id: null, event_name: null, reason: 'not_json' });
    expect(body.events[4]).toMatchObject({ outcome: null, event_name: 'charge.won', received_at: null });
    expect(JSON.stringify(body)).not.toContain('Nobody Real');
  });

  it('pages through all kinds with a cursor, without gaps and without repetitions', async () => {
    const { get } = await setUp(waitingBodies);
    const all = (await get(list)).body.events;
    const walked: unknown[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; cursor !== null && pages < 10; pages += 1) {
      const { body } = await get(list, { limit: '2', ...(cursor === undefined ? {} : { cursor }) });
      expect(body.events.length).toBeLessThanOrEqual(2);
      walked.push(...body.events);
      cursor = body.next_cursor;
    }
    expect(walked).toEqual(all);
  });

  it('fills a page with the kinds that follow, up to its limit', async () => {
    const refund = bytesOf(refundedEvent({ orderId: '', transactionId: 'T', eventId: 'r' }));
    const { get } = await setUp([refund, ...['{}', '[]', '7'].map(Buffer.from)].map((body) => ({ body })));
    const kinds = async (query: Record<string, string>) => {
      const { events, next_cursor: cursor } = (await get(list, { limit: '2', ...query })).body;
      return { kinds: events.map(({ kind }: { kind: string }) => kind), cursor };
    };
    const first = await kinds({});
    expect(first.kinds).toEqual(['unassigned', 'unrecognised']);
    expect((await kinds({ cursor: first.cursor })).kinds).toEqual(['unrecognised', 'unrecognised']);
  });

  it('pages through one kind', async () => {
    const early = (id: string) => bytesOf(refundedEvent({ orderId: '', transactionId: id, eventId: id }));
    const { get } = await setUp(['a', 'b', 'c'].map((id) => ({ body: early(id) })));
    const ids: string[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null && pages < 5; pages += 1) {
      const query: Record<string, string> = { kind: 'unassigned', limit: '1', ...(cursor && { cursor }) };
      const { body } = await get(list, query);
      ids.push(...body.events.map(({ event_id: id }: { event_id: string }) => id));
      cursor = body.next_cursor;
    }
    expect([ids, cursor]).toEqual([['a', 'b', 'c'], null]);
  });

  it('lists one kind, the events of one order or transaction, or of a time', async () => {
    const { get } = await setUp(waitingBodies);
    const found = async (parameters: Record<string, string>) =>
      (await get(list, parameters)).body.events.map(({ kind }: { kind: string }) => kind);
    expect(await found({ kind: 'conflict' })).toEqual(['conflict']);
    expect(await found({ order_id: 'order-1' })).toEqual(['quarantined', 'conflict', 'event_name']);
    expect(await found({ transaction_id: 'txn-9' })).toEqual(['unassigned']);
    expect(await found({ since: '2026-11-21T10:00:02Z' })).toEqual([]);
    expect(await found({ until: '2026-11-21T10:00:01Z', kind: 'unrecognised' })).toEqual(['unrecognised']);
    expect(await found({ until: '2026-11-21T10:00:00Z' })).toEqual([]);
    expect(await found({ mode: 'sandbox' })).toEqual([]);
  });

  it('leaves out the event names that have been given a meaning', async () => {
    const meaningOf = createMeaningOf({ 'charge.won': 'history' });
    const { get } = await setUp(waitingBodies, { meaningOf });
    expect(namesOf((await get(list, { kind: 'event_name' })).body)).toEqual([]);
    const { get: before } = await setUp(waitingBodies);
    expect(namesOf((await before(list, { kind: 'event_name' })).body)).toEqual(['charge.won']);
  });

  it.each([
    [
      { kind: 'refunds' },
      'kind',
      'kind is "refunds"; expected one of the kinds unassigned, quarantined, order_refused, ',
    ],
    [{ since: 'yesterday' }, 'since', 'expected a time in ISO 8601 with a zone'],
    [{ until: 'today' }, 'until', 'expected a time in ISO 8601 with a zone'],
    [{ limit: '0' }, 'limit', 'expected a whole number from 1 to 100'],
    [{ cursor: 'abc' }, 'cursor', 'expected the unchanged next_cursor of an earlier response'],
    [{ order: 'order-1' }, 'order', 'expected one of the parameters kind, order_id'],
  ])('responds 400 to %j', async (parameters, parameter, detail) => {
    const { get } = await setUp([]);
    const { status, body } = await get(list, parameters);
    expect([status, body.parameter]).toEqual([400, parameter]);
    expect(body.detail).toContain(detail);
  });

  it('refuses a cursor together with other parameters than those of its page', async () => {
    const { get } = await setUp(waitingBodies);
    const { next_cursor: cursor } = (await get(list, { limit: '1', order_id: 'order-1' })).body;
    expect((await get(list, { cursor, order_id: 'order-1' })).status).toBe(200);
    expect((await get(list, { cursor })).body.parameter).toBe('cursor');
  });
});

describe('the operations API', () => {
  it('responds 404 to an unknown route', async () => {
    const { get } = await setUp([]);
    expect((await get('GET /operations/secrets')).status).toBe(404);
  });

  it('responds 500 to a fault of ours, and only the log has the reason and the route', async () => {
    const telemetry = recordTelemetry();
    const stores = await consumedStores();
    const waiting = { ...memoryWaiting(stores), count: () => Promise.reject(new Error('table name')) };
    const { get } = await setUp([], { waiting, telemetry });
    const { status, body } = await get('GET /operations/waiting/counts');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('table name');
    expect(telemetry.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'request failed',
      fields: { error_message: 'table name', route: 'GET /operations/waiting/counts' },
    });
  });
});
