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
const refunded = bytesOf(refundedEvent({ ...nameless, eventId: 'refunded' }));

/** The operations API over what the consumer made of these bodies. */
async function setUp(sent: readonly SentBody[], parts: Partial<OperationsParts> = {}) {
  const stores = await consumedStores(...sent);
  const api = operationsOver({
    reader: stores.reader,
    writer: stores.writer,
    waiting: memoryWaiting(stores),
    ...parts,
  });
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
