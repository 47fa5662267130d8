import { listAlarms } from '../../operator/status/alarms.ts';
import type { AlarmList } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';

/** Every page that is open reads it every ten seconds, and CloudWatch has quotas. */
const keptMilliseconds = 5_000;

export function alarmsRoute({ stack, log }: ConsoleContext): ConsoleRoute {
  async function readAlarms(): Promise<AlarmList> {
    const alarms = await listAlarms(await stack());
    return {
      alarms: alarms.map(({ alarm, state, severity, since, meaning }) => ({
        ...{ alarm, state, severity, since, meaning },
      })),
    };
  }
  const kept = createKept(readAlarms, keptMilliseconds);
  return {
    method: 'GET',
    path: '/console/api/alarms',
    // Local mode shows at once what has changed.
    handle: log === undefined ? kept.read : readAlarms,
  };
}
