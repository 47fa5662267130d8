import { createHttpApi, type HttpApi } from '../http-api/http-api.ts';
import type { OrderQueryParts } from './parts.ts';
import { orderQueryRoutes } from './routes.ts';

/** The read-only API of order systems. */
export const createOrderQuery = (parts: OrderQueryParts): HttpApi =>
  createHttpApi({ routes: orderQueryRoutes, parts });
