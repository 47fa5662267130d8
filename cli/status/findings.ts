import type { AlarmSeverity, alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import { nextCommand, type Stack } from '../target/stack.ts';
import type { Status } from './read-status.ts';

/** An alarm that is on, with what it stands for now and what to do first. */
export interface Finding {
  readonly alarm: string;
  readonly severity: AlarmSeverity;
  readonly since: string | null;
  readonly meaning: string;
  /** How many events or changes it stands for; `null` if it counts none, or if that is not known. */
  readonly count: number | null;
  readonly counted: string | null;
  /** `null` when the runbook says what to look at. */
  readonly command: string | null;
  readonly runbook: string;
}

export const severities: readonly AlarmSeverity[] = ['now', 'today', 'this week'];

/** The most urgent first, and of those the longest on. */
export function findingsOf(stack: Stack, status: Status): readonly Finding[] {
  const firing = status.alarms?.firing ?? [];
  const findings = firing.map(({ name, severity, since, meaning, runbook, command }): Finding => {
    const level = levelOf(name, status);
    return {
      alarm: name,
      severity,
      since,
      meaning,
      count: level?.count ?? null,
      counted: level?.counted ?? null,
      command: command === 'payhooks status' ? null : nextCommand(stack, command),
      runbook,
    };
  });
  return findings.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      `${a.since}`.localeCompare(`${b.since}`),
  );
}

interface Level {
  readonly count: number;
  readonly counted: string;
}

/** The level that keeps the alarm on. */
function levelOf(alarm: string, { queues }: Status): Level | undefined {
  if (queues === undefined) return undefined;
  const levels: Readonly<Record<string, Level>> = {
    EventsDelayed: { count: queues.events, counted: 'events not recorded yet' },
    RecordsRetried: { count: queues.events, counted: 'events not recorded yet' },
    DeadLettersPresent: { count: queues.dead_letters, counted: 'dead letters' },
    FeedFailuresPresent: { count: queues.feed_failures, counted: 'changes not published' },
  } satisfies Partial<Record<keyof typeof alarmGuide, Level>>;
  return levels[alarm];
}
