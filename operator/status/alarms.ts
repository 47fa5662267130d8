import * as v from 'valibot';
import { type AlarmGuide, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import type { AlarmState } from '../aws/alarm-states.ts';
import { readLocalView } from '../stack/local-mode.ts';
import type { Stack } from '../stack/stack.ts';

/** An alarm of the stack, whatever its state. */
export interface ListedAlarm extends AlarmGuide {
  /** Without the name of the stack. */
  readonly name: string;
  /** `deleted`: by hand, so that CloudWatch does not have it. */
  readonly state: 'ALARM' | 'OK' | 'INSUFFICIENT_DATA' | 'deleted';
  /** ISO 8601. */
  readonly since: string | null;
  /** One sentence. */
  readonly meaning: string;
  readonly runbook: string;
}

export interface Alarms {
  readonly count: number;
  readonly firing: readonly ListedAlarm[];
  /** The names of those that CloudWatch has no data for yet. */
  readonly withoutData: readonly string[];
  /** The names of those that were deleted by hand. */
  readonly deleted: readonly string[];
}

/** The alarms of a stack or of local mode, by what a person must know of them. */
export async function readAlarms(stack: Stack): Promise<Alarms> {
  const alarms = await listAlarms(stack);
  const inState = (wanted: ListedAlarm['state']) => alarms.filter(({ state }) => state === wanted);
  return {
    count: alarms.length,
    firing: inState('ALARM'),
    withoutData: inState('INSUFFICIENT_DATA').map(({ name }) => name),
    deleted: inState('deleted').map(({ name }) => name),
  };
}

/** Every alarm of a stack or of local mode. */
export function listAlarms(stack: Stack): Promise<readonly ListedAlarm[]> {
  return stack.localUrl === undefined ? listStackAlarms(stack) : listLocalAlarms(stack.localUrl);
}

const alarmType = 'AWS::CloudWatch::Alarm';

async function listStackAlarms(stack: Stack): Promise<readonly ListedAlarm[]> {
  const { listResources } = await import('../aws/deployed-resources.ts');
  const { describeAlarms } = await import('../aws/alarm-states.ts');
  const resources = await listResources(stack);
  const names = resources.filter(({ type }) => type === alarmType).map(({ physicalId }) => physicalId);
  const alarms = await describeAlarms(names);
  return names.map((full) => {
    const short = full.replace(`${stack.name}-`, '');
    const found = alarms.find((alarm) => alarm.name === full);
    if (found === undefined) {
      return listedAlarm({ name: short, state: 'deleted', description: '', since: undefined });
    }
    return listedAlarm({ ...found, name: short });
  });
}

const states = ['ALARM', 'OK', 'INSUFFICIENT_DATA', 'deleted'] as const;

/** A description has the meaning in its first line, and the address of the part of the runbook. */
function listedAlarm(alarm: Pick<AlarmState, 'name' | 'state' | 'description' | 'since'>): ListedAlarm {
  const { name, description, since } = alarm;
  const state = states.find((known) => known === alarm.state) ?? 'INSUFFICIENT_DATA';
  const [meaning = ''] = description.split('\n', 1);
  const runbook = /^Runbook: (\S+)$/m.exec(description)?.[1] ?? `docs/runbook.md#${name.toLowerCase()}`;
  return { name, state, ...guideOf(name), since: since?.toISOString() ?? null, meaning, runbook };
}

/** An alarm that only a newer version of payhooks has is as urgent as one can be. */
function guideOf(name: string): AlarmGuide {
  const guides: Readonly<Record<string, AlarmGuide>> = alarmGuide;
  return guides[name] ?? { severity: 'now', command: 'payhooks status' };
}

const localAlarms = v.array(
  v.object({ name: v.string(), state: v.string(), meaning: v.string(), since: v.string() }),
);

async function listLocalAlarms(localUrl: string): Promise<readonly ListedAlarm[]> {
  const alarms = await readLocalView(localUrl, '/alarms', localAlarms);
  return alarms.map(({ meaning, since, ...alarm }) =>
    listedAlarm({ ...alarm, description: meaning, since: new Date(since) }),
  );
}
