import { createHttpApi, type HttpApi, type Route } from '../http-api/http-api.ts';
import type { ForgeryOf } from '../http-api/own-requests.ts';
import { recordRoutes } from '../records/records.ts';
import type { OperationsParts } from './act.ts';
import { postAdmit } from './admit.ts';
import { postDismiss } from './dismiss.ts';
import { postErase } from './erase.ts';
import { postReplay } from './replay.ts';
import { postResolve } from './resolve.ts';
import { postVerify } from './verify.ts';

/**
 * The routes of the operations API. `lib/operations.ts` declares them, the OpenAPI document
 * `docs/operations.openapi.yaml` describes them, and has the types of their responses.
 */
export const operationRoutes = {
  ...recordRoutes,
  'POST /operations/replay': postReplay,
  'POST /operations/admit': postAdmit,
  'POST /operations/dismiss': postDismiss,
  'POST /operations/resolve': postResolve,
  'POST /operations/erase': postErase,
  'POST /operations/verify': postVerify,
} as const satisfies Readonly<Record<string, Route<OperationsParts>>>;

/** The API of operators: what waits for a person, every body of an event, and what a person does about it. */
export const createOperations = (parts: OperationsParts, forgeryOf: ForgeryOf): HttpApi =>
  createHttpApi({ routes: operationRoutes, parts, forgeryOf });
