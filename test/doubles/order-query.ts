import { createConsumer } from '../../lambdas/consumer/consumer.ts';
import { createOrderQuery, type OrderQuery } from '../../lambdas/order-query/order-query.ts';
import type { ChangeReader, EventReader, OrderReader } from '../../lambdas/ports/stores.ts';
import type { Telemetry } from '../../lambdas/ports/telemetry.ts';
import { memoryStores } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

/** Tables in memory, as the consumer leaves them that was sent these bodies in one batch. */
export async function consumedStores(...sent: SentBody[]): Promise<ReturnType<typeof memoryStores>> {
  const stores = memoryStores();
  const consumer = createConsumer({
    events: stores.writer,
    orders: stores.writer,
    eventRetentionDays: undefined,
    now: () => new Date('2026-11-21T10:00:01.000Z'),
    telemetry: recordTelemetry(),
  });
  await consumer(sqsEvent(...sent));
  return stores;
}

interface OrderQueryOver {
  readonly reader: ChangeReader & EventReader & OrderReader;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly telemetry?: Telemetry;
}

/** The order query over one object that reads everything. */
export function orderQueryOver({
  reader,
  now = Date.now,
  telemetry = recordTelemetry(),
}: OrderQueryOver): OrderQuery {
  return createOrderQuery({ changes: reader, orders: reader, events: reader, now, telemetry });
}
