import { listAlarms } from '../../operator/status/alarms.ts';
import { readStatus } from '../../operator/status/read-status.ts';
import type { AlarmList, ConsoleStatus } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';

/** Every page that is open reads it every ten seconds, and CloudWatch has quotas. */
const keptMilliseconds = 5_000;

export function statusRoutes({ stack, env, log }: ConsoleContext): readonly ConsoleRoute[] {
  const readConsoleStatus = async (): Promise<ConsoleStatus> =>
    (await readStatus(await stack(), { env })).document;
  async function readAlarms(): Promise<AlarmList> {
    const alarms = await listAlarms(await stack());
    return {
      alarms: alarms.map(({ alarm, state, severity, since, meaning }) => ({
        ...{ alarm, state, severity, since, meaning },
      })),
    };
  }
  // Local mode shows at once what has changed.
  const kept = (read: () => Promise<unknown>) =>
    log === undefined ? createKept(read, keptMilliseconds) : read;
  return [
    { method: 'GET', path: '/console/api/status', handle: kept(readConsoleStatus) },
    { method: 'GET', path: '/console/api/alarms', handle: kept(readAlarms) },
  ];
}
