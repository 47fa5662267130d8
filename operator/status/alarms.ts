import * as v from 'valibot';
import { type AlarmGuide, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import type { AlarmState } from '../aws/alarm-states.ts';
import type { ListedResource } from '../aws/deployed-resources.ts';
import type { ListedAlarm } from '../documents.ts';
import { type Occurrences, occurrencesOf, spanOf } from '../sentences/alarm-occurrences.ts';
import { readLocalView } from '../stack/local-mode.ts';
import { deploymentNameOf, type Stack } from '../stack/stack.ts';

/** An alarm of the stack, whatever its state, with what to do first. */
export interface StackAlarm extends ListedAlarm, AlarmGuide {
  readonly runbook: string;
  /** Of an alarm that is on; reads metrics of CloudWatch. */
  readonly readOccurrences: (now: number) => Promise<Occurrences | null>;
}

const occurrences = v.nullish(
  v.object({
    count: v.nullable(v.number()),
    ...{ counted: v.string(), first_at: v.string(), last_at: v.string(), ends_at: v.string() },
  }),
  null,
);

const localAlarms = v.array(
  v.object({ name: v.string(), state: v.string(), meaning: v.string(), since: v.string(), occurrences }),
);

/** Every alarm of a stack or of local mode. */
export async function listAlarms(stack: Stack): Promise<readonly StackAlarm[]> {
  if (stack.localUrl === undefined) return listStackAlarms(stack);
  const alarms = await readLocalView(stack.localUrl, '/alarms', localAlarms);
  return alarms.map(({ meaning, since, occurrences: own, ...alarm }) =>
    stackAlarm({ ...alarm, description: meaning, since: new Date(since) }, async () => own),
  );
}

async function listStackAlarms(stack: Stack): Promise<readonly StackAlarm[]> {
  const { listResources } = await import('../aws/deployed-resources.ts');
  const { describeAlarms } = await import('../aws/alarm-states.ts');
  const resources = await listResources(stack);
  const names = resources
    .filter((resource) => resource.type === 'AWS::CloudWatch::Alarm' && isOurs(stack, resource))
    .map(({ physicalId }) => physicalId);
  const alarms = await describeAlarms(names);
  return names.map((full) => {
    const name = nameOf(stack, full);
    const found = alarms.find((alarm) => alarm.name === full);
    const given = { ...(found ?? { state: 'deleted', description: '', since: undefined }), name };
    return stackAlarm(given, async (now) =>
      found === undefined ? null : readOccurrences(stack, found, now),
    );
  });
}

/** An app may add alarms to the stack, also with names like ours: only ours are children of `Alarms`. */
const isOurs = (stack: Stack, { physicalId: alarm, logicalId }: ListedResource): boolean =>
  alarm.startsWith(`${deploymentNameOf(stack)}-`) &&
  logicalId.slice(0, -logicalHashCharacters).endsWith(`Alarms${nameOf(stack, alarm)}`);

/** CDK ends a logical id with a hash. */
const logicalHashCharacters = 8;

const nameOf = (stack: Stack, alarm: string): string => alarm.slice(deploymentNameOf(stack).length + 1);

async function readOccurrences(stack: Stack, { name, rule, queries, since }: AlarmState, now: number) {
  const { readAlarmMinutes } = await import('../aws/metric-data.ts');
  const span = spanOf(rule, since?.getTime() ?? now, now);
  if (span === undefined) return null;
  const values = await readAlarmMinutes(stack, queries, span);
  return occurrencesOf(nameOf(stack, name), rule, { begin: span.begin, values }, now);
}

const states = ['ALARM', 'OK', 'INSUFFICIENT_DATA', 'deleted'] as const;

/** A description has the meaning in its first line, and the address of the part of the runbook. */
function stackAlarm(
  given: Pick<AlarmState, 'name' | 'state' | 'description' | 'since'>,
  readOccurrencesOf: StackAlarm['readOccurrences'],
): StackAlarm {
  const { name: alarm, description, since } = given;
  const state = states.find((known) => known === given.state) ?? 'INSUFFICIENT_DATA';
  const [meaning = ''] = description.split('\n', 1);
  const runbook = /^Runbook: (\S+)$/m.exec(description)?.[1] ?? `docs/runbook.md#${alarm.toLowerCase()}`;
  const about = { ...guideOf(alarm), since: since?.toISOString() ?? null, meaning, runbook };
  return { alarm, state, ...about, readOccurrences: readOccurrencesOf };
}

/** An alarm that only a newer version of payhooks has is as urgent as one can be. */
export function guideOf(name: string): AlarmGuide {
  const guides: Readonly<Record<string, AlarmGuide>> = alarmGuide;
  return guides[name] ?? { severity: 'now', command: 'payhooks status' };
}
