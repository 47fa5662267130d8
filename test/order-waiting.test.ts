import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEventTable } from '../lambdas/aws/event-table.ts';
import { createWaitingIndex } from '../lambdas/aws/waiting-index.ts';
import { waitingPagesMax } from '../lambdas/contract/limits.ts';
import { waitingFor } from '../lambdas/order-query/order-waiting.ts';
import type { EventRow } from '../lambdas/ports/stores.ts';
import { type DynamoDbRequest, startDynamoDbServer, success } from './doubles/dynamodb-server.ts';
import { type LocalTables, startTables } from './doubles/local-tables.ts';

let tables: LocalTables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.close());

const row = (eventId: string, more: Partial<EventRow>): EventRow => ({
  key: `live:event:${eventId}`,
  record: `quarantine:${eventId}`,
  mode: 'live',
  outcome: 'quarantined',
  reason: 'sandbox_flag_missing',
  waiting: 'quarantined',
  eventId,
  eventName: 'transaction.paid',
  body: bytesOf(paidEvent({ eventId, orderId: 'o-1' })),
  bodySha256: eventId.padEnd(64, '0'),
  keyId: '9a76d0a46113',
  receivedAt: '2026-11-21T10:00:00.000Z',
  recordedAt: '2026-11-21T10:00:01.000Z',
  ...more,
});

describe('the events that wait and name an order', () => {
  it('are found in every kind that names orders, oldest first, and no others', async () => {
    const events = createEventTable(tables.client, 'events');
    const later = { receivedAt: '2026-11-21T11:00:00.000Z', orderId: 'o-1' };
    const { waiting: _, ...done } = row('evt-done', { orderId: 'o-1' });
    for (const one of [
      row('evt-0', later),
      row('evt-1', { orderId: 'o-1' }),
      row('evt-2', { orderId: 'o-1', outcome: 'conflict', waiting: 'conflict' }),
      row('evt-3', { assignedOrderId: 'o-1', reason: 'order_refused', waiting: 'order_refused' }),
      row('evt-4', { ...later, receivedAt: '2026-11-21T12:00:00.000Z', waiting: 'conflict' }),
      row('evt-other', { orderId: 'o-2' }),
      row('evt-sandbox', { orderId: 'o-1', mode: 'sandbox' }),
      done,
    ]) {
      await events.put(one);
    }
    const index = createWaitingIndex(tables.client, 'events');
    const { events: found, isComplete } = await waitingFor(index, { mode: 'live', id: 'o-1' });
    expect(found.map(({ event_id, kind }) => [event_id, kind])).toEqual([
      ['evt-1', 'quarantined'],
      ['evt-2', 'conflict'],
      ['evt-3', 'order_refused'],
      ['evt-0', 'quarantined'],
      ['evt-4', 'conflict'],
    ]);
    expect(found[0]).toEqual({
      event_id: 'evt-1',
      event_name: 'transaction.paid',
      kind: 'quarantined',
      outcome: 'quarantined',
      reason: 'sandbox_flag_missing',
      received_at: '2026-11-21T10:00:00.000Z',
      body_sha256: 'evt-1'.padEnd(64, '0'),
    });
    expect(isComplete).toBe(true);
  });

  it('are in the order of their kinds where one body waits twice, as while an admission is under way', async () => {
    const order = { mode: 'live', id: 'o-twice' } as const;
    const admitted = row('evt-twice', { orderId: order.id });
    const full = { record: 'event', reason: 'order_refused', waiting: 'order_refused' } as const;
    const events = createEventTable(tables.client, 'events');
    for (const one of [admitted, row('evt-twice', { orderId: order.id, ...full })]) await events.put(one);
    const { events: found } = await waitingFor(createWaitingIndex(tables.client, 'events'), order);
    expect(found.map(({ kind }) => kind)).toEqual(['quarantined', 'order_refused']);
  });

  it('are searched in a bounded number of pages, and the result shows that there are more', async () => {
    const key = { event_key: { S: 'k' }, record: { S: 'r' }, recorded_at: { S: '2026' } };
    const isEndless = ({ input }: DynamoDbRequest) =>
      input.ExpressionAttributeValues[':partition'].S === 'live:conflict';
    const { client, requests } = await startDynamoDbServer((request) =>
      success({ Items: [], ...(isEndless(request) && { LastEvaluatedKey: key }) }),
    );
    const order = { mode: 'live', id: 'o-1' } as const;
    const found = await waitingFor(createWaitingIndex(client, 'events'), order);
    expect(found).toEqual({ events: [], isComplete: false });
    expect(requests.filter(isEndless)).toHaveLength(waitingPagesMax);
    expect(requests.every(({ input }) => input.IndexName === 'waiting')).toBe(true);
  });
});
