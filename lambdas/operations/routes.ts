import { createHttpApi, type HttpApi } from '../http-api/http-api.ts';
import type { Route } from '../http-api/route.ts';
import { postAdmit } from './admit.ts';
import { postDismiss } from './dismiss.ts';
import { postErase } from './erase.ts';
import type { OperationsParts } from './parts.ts';
import { getEvent, getEventBodies, getKeys, getUnrecognisedBody, getWaitingCounts } from './reads.ts';
import { postReplay } from './replay.ts';
import { postResolve } from './resolve.ts';
import { postVerify } from './verify.ts';
import { listWaiting } from './waiting.ts';

/**
 * The routes of the operations API. `lib/operations.ts` declares them, the OpenAPI document
 * `docs/operations.openapi.yaml` describes them, and has the types of their responses.
 */
export const operationRoutes = {
  'GET /operations/waiting': listWaiting,
  'GET /operations/waiting/counts': getWaitingCounts,
  'GET /operations/events/{event_id}': getEvent,
  'GET /operations/bodies/events/{event_id}': getEventBodies,
  'GET /operations/bodies/{body_sha256}': getUnrecognisedBody,
  'GET /operations/keys': getKeys,
  'POST /operations/replay': postReplay,
  'POST /operations/admit': postAdmit,
  'POST /operations/dismiss': postDismiss,
  'POST /operations/resolve': postResolve,
  'POST /operations/erase': postErase,
  'POST /operations/verify': postVerify,
} as const satisfies Readonly<Record<string, Route<OperationsParts>>>;

/** The API of operators: what waits for a person, every body of an event, and what a person does about it. */
export const createOperations = (parts: OperationsParts): HttpApi =>
  createHttpApi({ routes: operationRoutes, parts });
