import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import type { OrderQueryParts } from '../../lambdas/order-query/parts.ts';
import { createOrderQuery } from '../../lambdas/order-query/routes.ts';
import { consumerOver } from './consumer.ts';
import { type GatewayRequest, gatewayEvent } from './gateway-event.ts';
import { memoryChanges, memoryWaiting } from './memory-indexes.ts';
import { createMemoryTables } from './memory-store.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

type MemoryTables = ReturnType<typeof createMemoryTables>;

/** What the order query reads, over tables in memory. */
export function readerOf(tables: MemoryTables) {
  const { events, orders, transactions, acts } = tables.open();
  return {
    events,
    orders,
    transactions,
    acts,
    changes: memoryChanges(tables),
    waiting: memoryWaiting(tables),
  };
}

export type QueryReader = Omit<OrderQueryParts, 'now' | 'telemetry'>;

/** The consumer receives these bodies in one batch, a second after the verifier by default. */
export async function deliver(
  tables: MemoryTables,
  sent: readonly SentBody[],
  at = '2026-11-21T10:00:01.000Z',
): Promise<void> {
  const consume = consumerOver(tables.open().store, { now: () => new Date(at) });
  const { batchItemFailures } = await consume(sqsEvent(...sent));
  if (batchItemFailures.length > 0) throw new Error('The consumer has not handled every body.');
}

/** Tables in memory after the consumer has received these bodies in one batch. */
export async function consumedTables(...sent: SentBody[]) {
  const tables = createMemoryTables();
  await deliver(tables, sent);
  return { ...tables, tables, reader: readerOf(tables) };
}

/** The order query over such tables. */
export async function setUpQuery(...sent: SentBody[]) {
  const stores = await consumedTables(...sent);
  const query = orderQueryOver({ reader: stores.reader });
  return {
    ...stores,
    get: (
      route: string,
      pathParameters: Record<string, string> = {},
      queryStringParameters: Record<string, string> = {},
    ) => request(query, { routeKey: `GET ${route}`, pathParameters, queryStringParameters }),
  };
}

interface OrderQueryOver extends Partial<Pick<OrderQueryParts, 'now' | 'telemetry'>> {
  readonly reader: QueryReader;
}

/** The order query over one reader of both tables. */
export function orderQueryOver({
  reader,
  now = Date.now,
  telemetry = recordTelemetry(),
}: OrderQueryOver): HttpApi {
  return createOrderQuery({ ...reader, now, telemetry });
}

/** Sends a request to an API and reads its response. */
export async function request(api: HttpApi, parameters: GatewayRequest) {
  const { statusCode, headers, body = '' } = await api(gatewayEvent(parameters));
  return { status: statusCode, type: headers?.['content-type'], body: JSON.parse(body) };
}
