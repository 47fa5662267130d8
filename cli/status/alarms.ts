import * as v from 'valibot';
import { type AlarmGuide, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import type { AlarmState } from '../aws/alarm-states.ts';
import { CommandError } from '../command-error.ts';
import { localProbeMilliseconds } from '../limits.ts';
import type { Stack } from '../target/stack.ts';

/** An alarm that is on. */
export interface FiringAlarm extends AlarmGuide {
  /** Without the name of the stack. */
  readonly name: string;
  /** ISO 8601. */
  readonly since: string | null;
  /** One sentence. */
  readonly meaning: string;
  readonly runbook: string;
}

export interface Alarms {
  readonly count: number;
  readonly firing: readonly FiringAlarm[];
  /** The names of those that CloudWatch has no data for yet. */
  readonly withoutData: readonly string[];
  /** The names of those that were deleted by hand. */
  readonly deleted: readonly string[];
}

/** The alarms of a stack or of local mode. */
export function readAlarms(stack: Stack): Promise<Alarms> {
  return stack.localUrl === undefined ? readStackAlarms(stack) : readLocalAlarms(stack.localUrl);
}

async function readStackAlarms({ name }: Stack): Promise<Alarms> {
  const { describeAlarmNames } = await import('../aws/stacks.ts');
  const { describeAlarms } = await import('../aws/alarm-states.ts');
  const names = await describeAlarmNames(name);
  const alarms = await describeAlarms(names);
  const found = new Set(alarms.map((alarm) => alarm.name));
  const short = (full: string): string => full.replace(`${name}-`, '');
  return {
    count: names.length,
    firing: alarms
      .filter(({ state }) => state === 'ALARM')
      .map((alarm) => firingAlarm({ ...alarm, name: short(alarm.name) })),
    withoutData: alarms
      .filter(({ state }) => state === 'INSUFFICIENT_DATA')
      .map((alarm) => short(alarm.name)),
    deleted: names.filter((full) => !found.has(full)).map(short),
  };
}

/** A description has the meaning in its first line, and the address of the part of the runbook. */
function firingAlarm(alarm: Pick<AlarmState, 'name' | 'description' | 'since'>): FiringAlarm {
  const { name, description, since } = alarm;
  const [meaning = ''] = description.split('\n', 1);
  const runbook = /^Runbook: (\S+)$/m.exec(description)?.[1] ?? `docs/runbook.md#${name.toLowerCase()}`;
  return { name, ...guideOf(name), since: since?.toISOString() ?? null, meaning, runbook };
}

/** An alarm that only a newer version of payhooks has is as urgent as one can be. */
function guideOf(name: string): AlarmGuide {
  const guides: Readonly<Record<string, AlarmGuide>> = alarmGuide;
  return guides[name] ?? { severity: 'now', command: 'payhooks status' };
}

const localAlarms = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ name: v.string(), state: v.string(), meaning: v.string(), since: v.string() })),
);

async function readLocalAlarms(localUrl: string): Promise<Alarms> {
  const response = await fetch(new URL('/alarms', localUrl), {
    signal: AbortSignal.timeout(localProbeMilliseconds),
  });
  const { success, output } = v.safeParse(localAlarms, response.ok ? await response.text() : '');
  if (!success) throw new CommandError('failed', `GET ${localUrl}/alarms is not the list of alarms.`);
  const firing = (output as v.InferOutput<typeof localAlarms>)
    .filter(({ state }) => state === 'ALARM')
    .map(({ name, meaning, since }) => firingAlarm({ name, description: meaning, since: new Date(since) }));
  return { count: output.length, firing, withoutData: [], deleted: [] };
}
