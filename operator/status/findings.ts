import type { Mode, WaitingCount } from '@payhooks/order-client';
import { type AlarmName, type AlarmSeverity, waitingCommandOf } from '../../lambdas/contract/alarm-guide.ts';
import type { Finding, QueueDepths } from '../documents.ts';
import type { Occurrences } from '../sentences/alarm-occurrences.ts';
import { attentionCountsText } from '../sentences/reason-sentences.ts';
import { nextCommand, type Stack } from '../stack/stack.ts';
import type { StackAlarm } from './alarms.ts';

export const severities: readonly AlarmSeverity[] = ['now', 'today', 'this week'];

/** What is waiting where, as far as it is known. */
interface Levels {
  readonly queues: QueueDepths | undefined;
  readonly waiting: readonly WaitingCount[] | undefined;
}

/** By the names of alarms, for those that no level keeps on. */
type AllOccurrences = ReadonlyMap<string, Occurrences | null>;

export async function readAllOccurrences(
  firing: readonly StackAlarm[],
  levels: Levels,
  now: number,
): Promise<AllOccurrences> {
  const counted = firing.filter(({ alarm }) => levelOf(alarm, levels) === undefined);
  return new Map(
    await Promise.all(counted.map(async (one) => [one.alarm, await one.readOccurrences(now)] as const)),
  );
}

/** The most urgent first, and of those the longest on. */
export function findingsOf(
  stack: Stack,
  firing: readonly StackAlarm[],
  { occurrences, ...levels }: Levels & { readonly occurrences: AllOccurrences | undefined },
): readonly Finding[] {
  const findings = firing.map(({ alarm, severity, since, meaning, runbook, command }): Finding => {
    const level = levelOf(alarm, levels);
    return {
      ...{ alarm, severity, since, meaning, runbook },
      count: level?.count ?? null,
      counted: level?.counted ?? null,
      oldest_at: level?.oldestAt ?? null,
      occurrences: occurrences?.get(alarm) ?? null,
      command:
        command === 'payhooks status' ? null : nextCommand(stack, level?.command ?? command, level?.mode),
    };
  });
  return findings.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      `${a.since}`.localeCompare(`${b.since}`),
  );
}

/** Without the number: "dead letters", "dead letter" for one. */
const plural = (count: number, noun: string): string => (count === 1 ? noun : `${noun}s`);

/** The level that keeps an alarm on. */
interface Level {
  readonly count: number;
  readonly counted: string;
  readonly oldestAt?: string | null;
  /** Of all that it counts. */
  readonly mode?: Mode;
  /** In place of the alarm's. */
  readonly command?: string | undefined;
}

/** What they count is the same. */
const waitingAlarms: readonly string[] = ['DecisionsWaiting', 'WaitingKindsAdded'] satisfies AlarmName[];

function levelOf(alarm: string, { queues, waiting }: Levels): Level | undefined {
  if (waitingAlarms.includes(alarm)) return waiting && waitingLevel(waiting);
  if (queues === undefined) return undefined;
  const unrecorded = { count: queues.events, counted: `${plural(queues.events, 'event')} not recorded yet` };
  const levels: Readonly<Record<string, Level>> = {
    EventsDelayed: unrecorded,
    RecordsRetried: unrecorded,
    DeadLettersPresent: { count: queues.dead_letters, counted: plural(queues.dead_letters, 'dead letter') },
    FeedFailuresPresent: {
      count: queues.feed_failures,
      counted: `${plural(queues.feed_failures, 'change')} not published`,
    },
  } satisfies Partial<Record<AlarmName, Level>>;
  return levels[alarm];
}

/** Live and sandbox together, as the alarm counts them. */
function waitingLevel(counts: readonly WaitingCount[]): Level {
  const oldest = counts.flatMap(({ oldest_recorded_at: at }) => (at === null ? [] : [at])).toSorted();
  const total = (of: readonly WaitingCount[]) => of.reduce((sum, { count }) => sum + count, 0);
  const inSandbox = counts.filter(({ mode }) => mode === 'sandbox');
  const isSandboxOnly = counts.length > 0 && inSandbox.length === counts.length;
  const kinds = Map.groupBy(counts, ({ kind }) => kind);
  const byKind = [...kinds].map(([kind, of]) => {
    const attentions = of.flatMap(({ attention }) => (attention ? attentionCountsText(attention) : []));
    return `${total(of)} ${kind}${attentions.length === 0 ? '' : ` (${attentions.join('; ')})`}`;
  });
  const [kind, ...otherKinds] = kinds.keys();
  // The next command lists the live ones.
  const part = inSandbox.length === 0 ? '' : `, ${total(inSandbox)} of them in the sandbox (add --sandbox)`;
  return {
    count: total(counts),
    counted: `waiting${isSandboxOnly ? ' in the sandbox' : part}: ${byKind.join(', ')}`,
    oldestAt: oldest[0] ?? null,
    mode: isSandboxOnly ? 'sandbox' : 'live',
    command: kind === undefined || otherKinds.length > 0 ? undefined : waitingCommandOf(kind),
  };
}
