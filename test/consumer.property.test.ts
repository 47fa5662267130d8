import { ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliver, runs } from './doubles/deliveries.ts';
import { expectedState, type SampleBody, sha256 } from './doubles/expected-state.ts';
import { startTables, tableWriter } from './doubles/local-tables.ts';
import { memoryStores } from './doubles/memory-stores.ts';

/** A row of an event, as both the stores in memory and the tables show it. */
interface Recorded {
  readonly eventId?: string | undefined;
  readonly record: string;
  readonly outcome: string;
  readonly bodySha256: string;
  readonly waiting?: string | undefined;
  readonly assignedOrderId?: string | undefined;
}

/** The outcomes in the words of `expectedState`. */
const recordsOf = (rows: readonly Recorded[]) =>
  Object.fromEntries(
    rows.map(({ eventId, record, outcome, waiting, assignedOrderId }) => {
      const assigned = assignedOrderId === undefined ? '' : ` to ${assignedOrderId}`;
      return [
        `${eventId} ${record}`,
        `${outcome}${assigned}${waiting ? `, waits as ${waiting}` : ''}`,
      ] as const;
    }),
  );

/** Which body has the lock on each event id: the one exception to "arrival does not matter". */
const firstsOf = (rows: readonly Recorded[], sent: readonly SampleBody[]) => (id: string) => {
  const row = rows.find(({ eventId, record }) => eventId === id && record === 'event');
  const first = sent.find((body) => sha256(body) === row?.bodySha256);
  if (first === undefined) throw new Error(`No body of ${id} is recorded.`);
  return first;
};

describe('consumeBatch', () => {
  it('ends in one state for any events, order, duplicates, batches, concurrency, faults and crashes', async () => {
    const property = fc.asyncProperty(runs, async (run) => {
      const stores = memoryStores();
      await deliver(run, stores.writer);
      const rows = [...stores.events.values()];
      const orders = [...stores.orders.values()].map(({ order, facts }) => [order.id, facts]);
      expect({
        orders: Object.fromEntries(orders),
        records: recordsOf(rows),
        eventNames: stores.eventNames.size,
      }).toEqual(expectedState(run.deliveries, firstsOf(rows, run.deliveries)));
      for (const { key, bodySha256, expiresAt } of stores.bodies.values()) {
        const row = stores.events.get(`${key} event`);
        const waits = row?.bodySha256 === bodySha256 && row.waiting !== undefined;
        expect([key, expiresAt !== undefined]).toEqual([key, !waits]);
      }
    });
    await fc.assert(property, { numRuns: 500 });
  });

  it('ends in that state over the tables of DynamoDB as well', async () => {
    const property = fc.asyncProperty(runs, async (run) => {
      const tables = await startTables();
      await deliver(run, tableWriter(tables.client));
      const scan = async (TableName: string) =>
        (await tables.client.send(new ScanCommand({ TableName }))).Items ?? [];
      const [events, orders] = await Promise.all([scan('events'), scan('orders')]);
      await tables.close();
      const rows = events
        .filter((item) => item['outcome'] !== undefined)
        .map((item) => ({
          eventId: item['event_id']?.S,
          record: item['record']?.S ?? '',
          outcome: item['outcome']?.S ?? '',
          bodySha256: item['body_sha256']?.S ?? '',
          waiting: item['waiting']?.S?.replace('live:', ''),
          assignedOrderId: item['assigned_order_id']?.S,
        }));
      expect({
        orders: Object.fromEntries(orders.map((item) => [item['order_id']?.S, new Set(item['facts']?.SS)])),
        records: recordsOf(rows),
        eventNames: events.filter((item) => item['waiting']?.S === 'live:event_name').length,
      }).toEqual(expectedState(run.deliveries, firstsOf(rows, run.deliveries)));
    });
    await fc.assert(property, { numRuns: 10 });
  });

  it('loses no event to full rows: each is in its order, or waits', async () => {
    const rooms = fc.record({
      orderBytesMax: fc.integer({ min: 0, max: 400 }),
      transactionOrdersMax: fc.integer({ min: 1, max: 3 }),
      transactionFactsMax: fc.integer({ min: 1, max: 3 }),
    });
    const property = fc.asyncProperty(runs, rooms, async (run, room) => {
      const stores = memoryStores(undefined, room);
      await deliver(run, stores.writer);
      for (const row of stores.events.values()) {
        const { eventId, record, outcome, waiting, orderId = row.assignedOrderId } = row;
        if (record !== 'event' || outcome === 'recorded') continue;
        const facts = [...(stores.orders.get(`live:order:${orderId}`)?.facts ?? [])];
        const isInOrder = facts.some((fact) => fact.startsWith(`["event.1","${eventId}",`));
        expect([outcome, waiting !== undefined]).toEqual([outcome, outcome !== 'applied']);
        if (outcome === 'applied') expect(isInOrder).toBe(true);
      }
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
