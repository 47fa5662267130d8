import { listAlarms } from '../../../cli/status/alarms.ts';
import type { AlarmList } from '../../contract/alarms.ts';
import type { ConsoleContext, ConsoleRoute } from '../context.ts';

export const alarmsRoute = ({ stack }: ConsoleContext): ConsoleRoute => ({
  method: 'GET',
  path: '/console/api/alarms',
  async handle(): Promise<AlarmList> {
    const alarms = await listAlarms(await stack());
    return {
      alarms: alarms.map(({ name: alarm, state, severity, since, meaning }) => ({
        ...{ alarm, state, severity, since, meaning },
      })),
    };
  },
});
