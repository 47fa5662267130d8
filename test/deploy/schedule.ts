import type { MiniStack } from './ministack.ts';
import { askSigned } from './signed-request.ts';

/** A schedule as EventBridge Scheduler describes it. */
export interface Schedule {
  readonly State: string;
  readonly ScheduleExpression: string;
  readonly Target: { readonly Arn: string; readonly RoleArn: string };
}

export async function readSchedule(ministack: MiniStack, name: string): Promise<Schedule> {
  const path = `/schedules/${name}`;
  const { status, body } = await askSigned(ministack, { service: 'scheduler', method: 'GET', path });
  if (status !== 200) throw new Error(`The schedule ${name} could not be read: ${status} ${body}`);
  return JSON.parse(body);
}

/** Gives a schedule another time; its target and its role stay. */
export async function reschedule(
  ministack: MiniStack,
  name: string,
  ScheduleExpression: string,
): Promise<void> {
  const schedule = await readSchedule(ministack, name);
  const path = `/schedules/${name}`;
  const body = { ...schedule, ScheduleExpression };
  const answer = await askSigned(ministack, { service: 'scheduler', method: 'PUT', path, body });
  if (answer.status !== 200) throw new Error(`The schedule ${name} could not be changed: ${answer.body}`);
}
