import { createHttpApi, type HttpApi } from '../http-api/http-api.ts';
import type { OperationsParts } from './parts.ts';
import { operationRoutes } from './routes.ts';

/** The API of operators: what waits for a person, every body of an event, and what a person does about it. */
export const createOperations = (parts: OperationsParts): HttpApi =>
  createHttpApi({ routes: operationRoutes, parts });
