import { createHttpApi, type HttpApi } from '../http-api/http-api.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import type { ListParts } from './list-orders.ts';
import { orderQueryRoutes } from './routes.ts';

export interface OrderQueryParts extends ListParts {
  readonly telemetry: Telemetry;
}

/** The read-only API of order systems. */
export const createOrderQuery = (parts: OrderQueryParts): HttpApi =>
  createHttpApi({ routes: orderQueryRoutes, parts });
