import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createConsumer } from '../lambdas/consumer/consumer.ts';
import { type ActStores, createDryRunStores } from '../lambdas/operations/dry-run-stores.ts';
import { observeOrders } from '../lambdas/operations/order-changes.ts';
import { memoryActStores, tableActStores } from './doubles/act-stores.ts';
import { samples } from './doubles/deliveries.ts';
import { eventBody } from './doubles/event-body.ts';
import type { SampleBody } from './doubles/expected-state.ts';
import { meaningOf } from './doubles/fold.ts';
import { startTables } from './doubles/local-tables.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { sqsEvent } from './doubles/sqs-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

/** Bodies that are in the tables already, and those of which a dry run predicts the effect. */
interface History {
  readonly before: readonly SampleBody[];
  readonly predicted: readonly SampleBody[];
  readonly eventRetentionDays: number | undefined;
}

const histories: fc.Arbitrary<History> = fc.record({
  before: fc.array(samples, { maxLength: 5 }),
  predicted: fc.array(samples, { minLength: 1, maxLength: 5 }),
  eventRetentionDays: fc.constantFrom(undefined, 30),
});

/** Delivers one body after the other; returns the orders that changed. */
async function consume(
  stores: ActStores,
  bodies: readonly SampleBody[],
  { eventRetentionDays }: Pick<History, 'eventRetentionDays'>,
) {
  const { orders, changed } = observeOrders(stores.orders);
  const telemetry = recordTelemetry();
  const consumeBatch = createConsumer({
    ...stores,
    orders,
    keyUses: { putKeyUse: async () => {} },
    eventRetentionDays,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    meaningOf,
    postpone: async () => {},
    telemetry,
  });
  for (const body of bodies) await consumeBatch(sqsEvent({ body: eventBody(body), messageId: 'm' }));
  return { changed: await changed(), outcomes: telemetry.lines.map(({ fields }) => fields['outcome']) };
}

/** Everything that an act can read, with sets in one order. */
async function stateOf({ events, transactions, orders }: ActStores) {
  const sorted = (set: readonly string[]) => [...set].sort();
  return {
    events: (await Promise.all(['e1', 'e2', 'e3', 'e4'].map((id) => events.find('live', id))))
      .flat()
      .map(({ body, ...row }) => ({ ...row, body: body && Buffer.from(body).toString() }))
      .toSorted((a, b) => (a.key + a.record < b.key + b.record ? -1 : 1)),
    transactions: await Promise.all(
      ['T', 'U'].map(async (id) => {
        const { orderIds, facts } = await transactions.get('live', id);
        return { id, orderIds: sorted(orderIds), facts: sorted(facts) };
      }),
    ),
    orders: await Promise.all(
      ['A', 'B', 'C'].map(async (id) => {
        const row = await orders.get({ mode: 'live', id });
        return row && { ...row, facts: sorted(row.facts) };
      }),
    ),
  };
}

async function expectPrediction(tables: ActStores, history: History): Promise<void> {
  await consume(tables, history.before, history);
  const untouched = await stateOf(tables);
  const dryRun = createDryRunStores(tables);
  const prediction = await consume(dryRun, history.predicted, history);
  const predicted = await stateOf(dryRun);
  expect(await stateOf(tables)).toEqual(untouched);
  const result = await consume(tables, history.predicted, history);
  expect(predicted).toEqual(await stateOf(tables));
  const inOneOrder = ({ changed }: typeof result) =>
    changed.map(({ order, before, after }) => ({ order, before: new Set(before), after: new Set(after) }));
  expect(inOneOrder(prediction)).toEqual(inOneOrder(result));
  expect(prediction.outcomes).toEqual(result.outcomes);
}

const orderIds = fc.constantFrom('A', 'B', 'C');
const states = fc.record(
  {
    outcome: fc.constantFrom('applied' as const, 'unassigned' as const, 'quarantined' as const),
    reason: fc.constant('order_refused' as const),
    waiting: fc.constantFrom('unassigned' as const, 'order_refused' as const),
    orderId: orderIds,
    assignedOrderId: orderIds,
    expiresAt: fc.constant(1_900_000_000),
  },
  { requiredKeys: ['outcome'] },
);
const settlements = fc.record(
  {
    outcome: fc.constantFrom('applied' as const, 'quarantined' as const),
    reason: fc.constant('order_refused' as const),
    waiting: fc.constant('order_refused' as const),
    assignedOrderId: orderIds,
    mergedInto: fc.uniqueArray(orderIds, { minLength: 1 }),
    from: fc.constantFrom('unassigned' as const, 'quarantined' as const),
  },
  { requiredKeys: ['outcome'] },
);
const subjects = fc.constantFrom(
  { fact: 'fact' },
  { fact: 'another' },
  { bodySha256: 'hash' },
  { bodySha256: 'another' },
  { bodySha256: 'hash', fact: 'another' },
);

describe('the stores of a dry run', () => {
  it('settle a row as the table does', async () => {
    const { client, close } = await startTables();
    const tables = tableActStores(client);
    let rows = 0;
    const property = fc.asyncProperty(states, settlements, subjects, async (state, settlement, subject) => {
      const id = `s${rows++}`;
      const key = `live:event:${id}`;
      const [at, keyId] = ['2026-11-21T10:00:00.000Z', 'abc'];
      const row = {
        key,
        record: 'event',
        mode: 'live',
        eventId: id,
        fact: 'fact',
        bodySha256: 'hash',
      } as const;
      await tables.events.put({ ...row, keyId, receivedAt: at, recordedAt: at, ...state });
      const dryRun = createDryRunStores(tables);
      const act = (stores: ActStores) =>
        stores.events.settle({ key, mode: 'live', ...settlement, ...subject });
      const predicted = [await act(dryRun), await dryRun.events.find('live', id)];
      expect(predicted).toEqual([await act(tables), await tables.events.find('live', id)]);
    });
    await fc.assert(property, { numRuns: 75 }).finally(close);
  });

  it.each([undefined, 30])(
    'erase the body of an event as the tables do (eventRetentionDays %s)',
    async (eventRetentionDays) => {
      const { client, close } = await startTables();
      const tables = tableActStores(client);
      const body = { id: 'e1', action: 'paid', order: 'A', transaction: 'T', amount: '1.00', attempt: 1 };
      await consume(tables, [body], { eventRetentionDays });
      const dryRun = createDryRunStores(tables);
      const erased = { by: 'someone', at: '2026-11-22T10:00:00.000Z', reason: 'requested' };
      const act = async ({ events }: ActStores) => {
        const [row] = await events.find('live', 'e1');
        const { key, fact = '', bodySha256 } = row ?? { key: '', bodySha256: '' };
        await events.eraseBody({ key, record: 'event', erased, fact });
        if (eventRetentionDays) await events.eraseBody({ key, record: `body:${bodySha256}`, erased });
        return events.find('live', 'e1');
      };
      const predicted = await act(dryRun);
      expect(predicted).toMatchObject([{ eventId: 'e1', erased }]);
      expect(predicted[0]?.body).toBeUndefined();
      expect(predicted).toEqual(await act(tables));
      await close();
    },
  );

  it('predict what the consumer does to stores in memory, and change nothing there', async () => {
    const property = fc.asyncProperty(histories, (history) =>
      expectPrediction(memoryActStores(memoryStores()), history),
    );
    await fc.assert(property, { numRuns: 150 });
  });

  it('predict what the consumer does to the tables of DynamoDB, and change nothing there', async () => {
    const property = fc.asyncProperty(histories, async (history) => {
      const { client, close } = await startTables();
      await expectPrediction(tableActStores(client), history).finally(close);
    });
    await fc.assert(property, { numRuns: 10 });
  });
});
