import type { Route } from '../http-api/route.ts';
import { postAdmit } from './admit.ts';
import { getEventBodies, getUnrecognisedBody } from './bodies.ts';
import { getWaitingCounts } from './counts.ts';
import { postDismiss } from './dismiss.ts';
import { postErase } from './erase.ts';
import { getEvent } from './event.ts';
import { getKeys } from './keys.ts';
import type { OperationsParts } from './parts.ts';
import { postReplay } from './replay.ts';
import { postResolve } from './resolve.ts';
import { postVerify } from './verify.ts';
import { listWaiting } from './waiting.ts';

/**
 * The routes of the operations API, one file each. `lib/operations.ts` declares them, the OpenAPI document
 * `docs/operations.openapi.yaml` describes them.
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
