import { type Consumer, type ConsumerParts, createConsumer } from '../../lambdas/consumer/consumer.ts';
import { meaningOf } from './fold.ts';
import type { memoryStores } from './memory-stores.ts';
import { recordTelemetry } from './telemetry.ts';

/** The consumer over tables in memory, a second after `sqsEvent` received its bodies. */
export function consumerOver(
  { writer }: Pick<ReturnType<typeof memoryStores>, 'writer'>,
  parts: Partial<ConsumerParts> = {},
): Consumer {
  return createConsumer({
    events: writer,
    orders: writer,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    meaningOf,
    postpone: async () => {},
    telemetry: recordTelemetry(),
    ...parts,
  });
}
