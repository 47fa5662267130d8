import { type Consumer, type ConsumerParts, createConsumer } from '../../lambdas/consumer/consumer.ts';
import { fold, meaningOf } from './fold.ts';
import { type FaultInjector, type MemoryRoom, memoryStores, type StoreOperation } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

/** The consumer over tables in memory, a second after `sqsEvent` received its bodies. */
export function consumerOver(
  { writer }: Pick<ReturnType<typeof memoryStores>, 'writer'>,
  parts: Partial<ConsumerParts> = {},
): Consumer {
  return createConsumer({
    events: writer,
    transactions: writer,
    orders: writer,
    keyUses: writer,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    meaningOf,
    postpone: async () => {},
    telemetry: recordTelemetry(),
    ...parts,
  });
}

export interface ConsumerSetUp {
  readonly inject?: FaultInjector;
  readonly room?: Partial<MemoryRoom>;
  readonly parts?: Partial<ConsumerParts>;
}

/** A consumer over tables in memory, and what they hold. */
export function setUpConsumer({ inject, room, parts }: ConsumerSetUp = {}) {
  const stores = memoryStores(inject, room);
  const telemetry = recordTelemetry();
  const consumeBatch = consumerOver(stores, { telemetry, ...parts });
  return {
    ...stores,
    telemetry,
    consumeBatch,
    /** The ids of the messages that go back to the queue. */
    async consume(...sent: SentBody[]): Promise<string[]> {
      const { batchItemFailures } = await consumeBatch(sqsEvent(...sent));
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    loggedOutcomes: () => telemetry.lines.map(({ fields }) => fields['outcome']),
    rows: () =>
      [...stores.events.values()].map(({ key, record, outcome, reason }) => ({
        key,
        record,
        outcome,
        reason,
      })),
    /** The keys of the rows that wait, with the reason. */
    waiting: () =>
      [...stores.events.values()].flatMap(({ key, waiting }) =>
        waiting === undefined ? [] : [[key, waiting]],
      ),
    statuses: () => [...stores.orders].map(([key, { facts }]) => [key, fold(facts).status]),
    /** The facts of a live order. */
    factsOf: (orderId: string): string[] => [...(stores.orders.get(`live:order:${orderId}`)?.facts ?? [])],
    attentionOf: (orderId: string) => fold(stores.orders.get(`live:order:${orderId}`)?.facts ?? []).attention,
  };
}

/** Fails one operation, before or after its effect, until it is repaired. */
export function failing(
  operation: StoreOperation,
  error = new Error('throttled'),
  when: 'before' | 'after' = 'before',
) {
  let broken = true;
  const inject: FaultInjector = (moment, current) => {
    if (broken && moment === when && current === operation) throw error;
  };
  const repair = () => {
    broken = false;
  };
  return { inject, repair };
}
