import { describe, expect, it } from 'vitest';
import { eventRecord } from '../../../lambdas/contract/schema.ts';
import { conflictRow, eventRow } from '../../doubles/event-rows.ts';
import { createMemoryTables } from '../../doubles/memory-store.ts';
import { operationsOver } from '../../doubles/operations.ts';
import { request } from '../../doubles/order-query.ts';

const full = { outcome: 'quarantined', reason: 'order_refused', waiting: 'order_refused' } as const;

/** An event of a full order, a conflict and a name, recorded an hour after each other. */
async function setUp() {
  const tables = createMemoryTables();
  const { store } = tables.open();
  const nameless = { reading: { orderId: null }, assignedOrderIds: ['order-1'] };
  await store.put(eventRow('evt-1', { ...full, ...nameless, recordedAt: '2026-11-21T10:00:00.000Z' }));
  await store.put(eventRow('evt-2', { reading: { orderId: 'order-2', amount: '20.00' } }));
  await store.put(conflictRow('evt-2', 'other', { recordedAt: '2026-11-21T11:00:00.000Z' }));
  const recordedAt = '2026-11-21T12:00:00.000Z';
  await store.putEventName({ mode: 'live', eventName: 'charge.won', eventId: 'evt-3', recordedAt });
  const query = operationsOver(tables);
  return async (routeKey: string, queryStringParameters: Record<string, string> = {}) =>
    (await request(query, { routeKey, queryStringParameters })).body;
}

describe('GET /operations/waiting', () => {
  const list = async (parameters?: Record<string, string>) =>
    (await setUp())('GET /operations/waiting', parameters);
  const idsOf = ({ events }: { events: { event_id: string }[] }) => events.map(({ event_id }) => event_id);

  it('lists every kind, an event with the order that it was assigned to, and a name with its first event', async () => {
    const { events } = await list();
    expect(events).toMatchObject([
      { kind: 'order_refused', event_id: 'evt-1', order_id: 'order-1', amount: '10.00', currency: 'EUR' },
      {
        kind: 'conflict',
        meaning: 'paid',
        event: { order_id: 'order-2', amount: '20.00', currency: 'EUR' },
        event_id: 'evt-2',
        order_id: 'order-1',
        transaction_id: 'txn-1',
      },
      { kind: 'event_name', event_id: 'evt-3', event_name: 'charge.won', outcome: null, body_sha256: null },
    ]);
  });

  it('lists nothing between a time and an earlier one', async () => {
    const [since, until] = ['2026-11-21T12:00:00Z', '2026-11-21T11:00:00Z'];
    expect(await list({ since, until })).toEqual({ events: [], next_cursor: null });
  });

  it('goes on from page to page, within a kind and from one to the next', async () => {
    const read = await setUp();
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await read('GET /operations/waiting', { limit: '1', ...(cursor && { cursor }) });
      ids.push(...idsOf(page));
      cursor = page.next_cursor;
    } while (cursor);
    expect(ids).toEqual(['evt-1', 'evt-2', 'evt-3']);
  });

  it('refuses a cursor of another selection, and one that was changed', async () => {
    const read = await setUp();
    const { next_cursor: cursor } = await read('GET /operations/waiting', { limit: '1' });
    const json = Buffer.from(cursor, 'base64url').toString();
    const otherKind = Buffer.from(json.replace('conflict', 'conflicts')).toString('base64url');
    for (const parameters of [
      { cursor, mode: 'sandbox' },
      { cursor: otherKind },
      { cursor: `${cursor}=` },
      { cursor: 'cA' },
    ])
      expect(await read('GET /operations/waiting', parameters)).toMatchObject({
        status: 400,
        parameter: 'cursor',
      });
  });
});

it('GET /operations/waiting/counts counts the rows of every kind, also names', async () => {
  const { counts } = await (await setUp())('GET /operations/waiting/counts');
  const counted = counts.filter(({ count }: { count: number }) => count > 0);
  expect(counted).toEqual([
    { mode: 'live', kind: 'order_refused', count: 1, oldest_recorded_at: '2026-11-21T10:00:00.000Z' },
    { mode: 'live', kind: 'conflict', count: 1, oldest_recorded_at: '2026-11-21T11:00:00.000Z' },
    { mode: 'live', kind: 'event_name', count: 1, oldest_recorded_at: '2026-11-21T12:00:00.000Z' },
  ]);
});

it('an event of which all bodies are in quarantine has none with another hash', async () => {
  const tables = createMemoryTables();
  const row = eventRow('evt-1', { outcome: 'quarantined', waiting: 'quarantined' });
  await tables.open().store.put({ ...row, record: eventRecord.quarantine(row.bodySha256) });
  const read = (body_sha256: string) =>
    request(operationsOver(tables), {
      routeKey: 'GET /operations/bodies/events/{event_id}',
      pathParameters: { event_id: 'evt-1' },
      queryStringParameters: { body_sha256 },
    });
  expect((await read(row.bodySha256)).body.records).toHaveLength(1);
  expect((await read('0'.repeat(64))).body).toMatchObject({ status: 404 });
});
