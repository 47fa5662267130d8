import { GetItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toOrderRow } from '../lambdas/aws/order-table.ts';
import type { Consumer } from '../lambdas/consumer/consumer.ts';
import { factOfStored } from '../lambdas/domain/stored-fact.ts';
import { orderChange } from '../lambdas/order-feed/order-change.ts';
import { readOrderWrite } from '../lambdas/order-feed/stream-record.ts';
import { consumerOver } from './doubles/consumer.ts';
import { eventBody } from './doubles/event-body.ts';
import { fold, meaningOf } from './doubles/fold.ts';
import { type LocalTables, startTables, tableWriter } from './doubles/local-tables.ts';
import { memoryStores } from './doubles/memory-stores.ts';
import { readFactsAs020 } from './doubles/reader-of-0.2.0.ts';
import { sqsEvent } from './doubles/sqs-event.ts';

let tables: LocalTables;
let writers: Readonly<Record<'plain' | 'compact', Consumer>>;
beforeAll(async () => {
  tables = await startTables();
  writers = {
    plain: consumerOver({ writer: tableWriter(tables.client) }),
    compact: consumerOver({ writer: tableWriter(tables.client, { compact: true }) }),
  };
});
afterAll(() => tables.close());

const uuids = ['0a', '1b', '2c', '3d'].map((part) => `${part.repeat(4)}-0000-4000-8000-${part.repeat(6)}`);

/** Deliveries of few events, some of them in other bytes or under an id that another event has, in batches. */
const anyHistory = fc.array(
  fc.record({
    writer: fc.constantFrom('plain' as const, 'compact' as const),
    batch: fc.array(
      fc.record({
        id: fc.constantFrom(...uuids),
        action: fc.constantFrom('paid', 'paid', 'refunded', 'updated'),
        order: fc.constantFrom('A', 'A', 'A', null),
        transaction: fc.constantFrom(...uuids.slice(0, 2), null),
        amount: fc.constantFrom('100.00', '40.00'),
        attempt: fc.nat(1),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { minLength: 2, maxLength: 8 },
);
type History = typeof anyHistory extends fc.Arbitrary<infer T> ? T : never;

const order = (orderId: string) => ({
  TableName: 'orders',
  Key: { order_key: { S: `live:order:${orderId}` } },
});

let runs = 0;
/** Ids of a run's own, so that runs share tables. */
function bodiesOf(batch: History[number]['batch'], run: number) {
  const own = <Id extends string | null>(id: Id) => id && `${id.slice(0, -6)}${String(run).padStart(6, '0')}`;
  return batch.map(({ id, order: orderId, transaction, ...event }) => ({
    body: eventBody({
      ...{ ...event, id: own(id) ?? '', transaction: own(transaction) },
      order: orderId && `${orderId}-${run}`,
    }),
  }));
}

const viewOf = (facts: readonly string[]) => ({ ...fold(facts), facts: [...facts].sort() });

describe('consumers that write rows in two forms, at the same time', () => {
  it('leave the order, and publish the changes, that one of them would', async () => {
    let inBothForms = 0;
    const property = fc.asyncProperty(anyHistory, async (history) => {
      runs += 1;
      const alone = memoryStores();
      const consumeAlone = consumerOver(alone);
      let image: Record<string, unknown> | undefined;
      let sequence = 0;
      for (const { writer, batch } of history) {
        const event = sqsEvent(...bodiesOf(batch, runs));
        expect(await writers[writer](event)).toEqual({ batchItemFailures: [] });
        await consumeAlone(event);
        const { Item } = await tables.client.send(new GetItemCommand(order(`A-${runs}`)));
        const facts = [...(alone.orders.get(`live:order:A-${runs}`)?.facts ?? [])];
        if (Item === undefined) expect(facts).toEqual([]);
        else {
          expect(viewOf(toOrderRow(Item).facts)).toEqual(viewOf(facts));
          const write = readOrderWrite({
            eventName: image === undefined ? 'INSERT' : 'MODIFY',
            dynamodb: { NewImage: Item, ...(image && { OldImage: image }) } as object,
          });
          const change = write && orderChange(write, meaningOf);
          if (change !== undefined) {
            expect(change.sequence).toBe(facts.length);
            expect(change.sequence).toBeGreaterThan(sequence);
            sequence = change.sequence;
          }
          image = Item;
          const stored = Item['facts']?.SS ?? [];
          if (new Set(stored.map(factOfStored)).size < stored.length) inBothForms += 1;
        }
      }
    });
    await fc.assert(property, { numRuns: 20 });
    expect(inBothForms).toBeGreaterThan(0);
  });

  it('write nothing for a fact that the order has in the other form', async () => {
    for (const [first, second] of [
      ['plain', 'compact'],
      ['compact', 'plain'],
    ] as const) {
      const body = eventBody({ id: uuids[0] ?? '', order: `twice-${first}`, transaction: null });
      await writers[first](sqsEvent({ body }));
      const { Item: before } = await tables.client.send(new GetItemCommand(order(`twice-${first}`)));
      await writers[second](sqsEvent({ body }));
      const { Item: after } = await tables.client.send(new GetItemCommand(order(`twice-${first}`)));
      expect(before?.['facts']?.SS).toHaveLength(1);
      expect(after).toEqual(before);
    }
  });
});

describe('release 0.2.0', () => {
  it('refuses the facts of a compact order, and reads those that are written without `compactRows`', async () => {
    for (const form of ['plain', 'compact'] as const) {
      await writers[form](
        sqsEvent({
          body: eventBody({ id: `${uuids[1]}-${form}`, order: `read-${form}`, transaction: null }),
        }),
      );
    }
    const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: 'orders' }));
    const itemOf = (form: string) =>
      Items.find(({ order_key: key }) => key?.S === `live:order:read-${form}`) ?? {};
    expect(readFactsAs020(itemOf('plain'))).toEqual([
      ['event.1', `${uuids[1]}-plain`, 'transaction.paid', null, '100.00', 'USD', null],
    ]);
    expect(() => readFactsAs020(itemOf('compact'))).toThrow('UnreadableFactError');
    expect(itemOf('compact')).not.toHaveProperty('order_id');
  });
});
