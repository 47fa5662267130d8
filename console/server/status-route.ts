import { readStatus } from '../../operator/status/read-status.ts';
import type { ConsoleStatus } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';

/** Every page that is open reads it every ten seconds, and CloudWatch has quotas. */
const keptMilliseconds = 5_000;

export function statusRoute({ stack, env, log }: ConsoleContext): ConsoleRoute {
  const read = async (): Promise<ConsoleStatus> => (await readStatus(await stack(), { env })).document;
  const kept = createKept(read, keptMilliseconds);
  return {
    method: 'GET',
    path: '/console/api/status',
    // Local mode shows at once what an act has changed.
    handle: log === undefined ? kept.read : read,
  };
}
