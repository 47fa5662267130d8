import type { HttpApi } from '../../lambdas/http-api/http-api.ts';
import { createOrderQuery } from '../../lambdas/order-query/order-query.ts';
import type { Telemetry } from '../../lambdas/ports/telemetry.ts';
import { consumerOver } from './consumer.ts';
import { meaningOf } from './fold.ts';
import { type GatewayRequest, gatewayEvent } from './gateway-event.ts';
import { memoryStores, type OrderQueryReader } from './memory-stores.ts';
import { type SentBody, sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

/** Tables in memory after the consumer has received these bodies in one batch. */
export async function consumedStores(...sent: SentBody[]): Promise<ReturnType<typeof memoryStores>> {
  const stores = memoryStores();
  await consumerOver(stores)(sqsEvent(...sent));
  return stores;
}

interface OrderQueryOver {
  readonly reader: OrderQueryReader;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly changesSettleSeconds?: number;
  readonly telemetry?: Telemetry;
}

/** The order query over one reader of both tables. */
export function orderQueryOver({
  reader,
  now = Date.now,
  changesSettleSeconds = 30,
  telemetry = recordTelemetry(),
}: OrderQueryOver): HttpApi {
  const { transactions, waiting, acts } = reader;
  const stores = { changes: reader, orders: reader, events: reader, transactions, waiting, acts };
  return createOrderQuery({ ...stores, now, changesSettleSeconds, meaningOf, telemetry });
}

/** Sends a request to an API and reads its response. */
export async function request(api: HttpApi, parameters: GatewayRequest) {
  const { statusCode, headers, body = '' } = await api(gatewayEvent(parameters));
  return { status: statusCode, type: headers?.['content-type'], body: JSON.parse(body) };
}
