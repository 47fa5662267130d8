import { arnOf } from '../account.ts';
import type { ScheduleDefinition } from '../template/invocations.ts';
import { AwsError } from './aws-error.ts';
import { startRestJson } from './rest-json.ts';

const group = 'default';

/** The schedules of EventBridge Scheduler on a free loopback port: get them and update them as a whole. */
export async function startScheduler() {
  const schedules = new Map<string, ScheduleDefinition>();
  const find = (name: string): ScheduleDefinition => {
    const schedule = schedules.get(name);
    if (schedule !== undefined) return schedule;
    throw new AwsError('ResourceNotFoundException', `Schedule ${name} does not exist.`, { status: 404 });
  };
  const arn = (name: string): string => arnOf('scheduler', `schedule/${group}/${name}`);
  const { endpoint, fail, close } = await startRestJson({
    'GET /schedules/*': ({ name }) => ({ Name: name, GroupName: group, Arn: arn(name), ...find(name) }),
    'PUT /schedules/*': ({ name, parameters }) => {
      find(name);
      const { ScheduleExpression, Target, FlexibleTimeWindow, ...rest } =
        parameters as Partial<ScheduleDefinition>;
      // An update replaces the whole schedule, and what is left out gets its default.
      if (!ScheduleExpression || !Target || !FlexibleTimeWindow) {
        throw new AwsError(
          'ValidationException',
          'ScheduleExpression, Target or FlexibleTimeWindow is missing.',
        );
      }
      const defaults = { State: 'ENABLED', ScheduleExpressionTimezone: 'UTC' } as const;
      schedules.set(name, { ...defaults, ...rest, ScheduleExpression, Target, FlexibleTimeWindow });
      return { ScheduleArn: arn(name) };
    },
  });
  return {
    ...{ endpoint, fail, close },
    addSchedule(name: string, definition: ScheduleDefinition): void {
      schedules.set(name, definition);
    },
    isEnabled: (name: string): boolean => schedules.get(name)?.State === 'ENABLED',
  };
}
