import type { Route } from '../http-api/route.ts';
import { getWaitingCounts } from './counts.ts';
import type { OperationsParts } from './parts.ts';
import { listWaiting } from './waiting.ts';

/**
 * The routes of the operations API, one file each. `lib/operations.ts` declares them, the OpenAPI document
 * `docs/operations.openapi.yaml` describes them.
 */
export const operationRoutes = {
  'GET /operations/waiting': listWaiting,
  'GET /operations/waiting/counts': getWaitingCounts,
} as const satisfies Readonly<Record<string, Route<OperationsParts>>>;
