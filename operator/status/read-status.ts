import * as v from 'valibot';
import { heartbeatMissingAlarmMinutes } from '../../lambdas/contract/alarm-thresholds.ts';
import { openOperations } from '../apis.ts';
import type { QueueDepths, StatusDocument } from '../documents.ts';
import { explainError } from '../explain-error.ts';
import type { CommandError } from '../operator-error.ts';
import type { Fault } from '../safeguards/safeguard.ts';
import { readLocalView } from '../stack/local-mode.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { listAlarms, type StackAlarm } from './alarms.ts';
import { findingsOf, readAllOccurrences } from './findings.ts';

interface Reading {
  readonly env: NodeJS.ProcessEnv;
  /** Whether to compare the stack with what was deployed, which takes some 120 calls. */
  readonly inspects?: boolean;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/**
 * Reads every part at once; one that fails does not keep the others from being shown. `faults` is what is not
 * as it was deployed, `undefined` also if it was not looked at, and `error` why a part could not be read.
 */
export async function readStatus(stack: Stack, { env, inspects = false, now = Date.now() }: Reading) {
  const failures: { readonly part: string; readonly error: CommandError }[] = [];
  const attempt = <Part>(part: string, work: Promise<Part>): Promise<Part | undefined> =>
    work.catch((error: unknown) => {
      failures.push({ part, error: explainError(error, env) });
      return undefined;
    });
  const [alarms, queues, events, heartbeat, faults] = await Promise.all([
    attempt('alarms', listAlarms(stack)),
    attempt('queues', readQueues(stack)),
    attempt('events', readEvents(stack)),
    attempt('heartbeat', readHeartbeat(stack)),
    inspects ? attempt('safeguards', readFaults(stack)) : undefined,
  ]);
  const firing = alarms?.filter(({ state }) => state === 'ALARM') ?? [];
  const levels = { queues, waiting: events?.waiting };
  const occurrences = await attempt('times of alarms', readAllOccurrences(firing, levels, now));
  const inState = (wanted: StackAlarm['state']) => alarms?.filter(({ state }) => state === wanted) ?? [];
  const namesIn = (state: StackAlarm['state']) => inState(state).map(({ alarm }) => alarm);
  const isHeartbeatKnown = !failures.some(({ part }) => part === 'heartbeat');
  const document = {
    alarms: alarms
      ? { count: alarms.length, without_data: namesIn('INSUFFICIENT_DATA'), deleted: namesIn('deleted') }
      : null,
    firing: alarms ? findingsOf(stack, firing, { ...levels, occurrences }) : null,
    queues: queues ?? null,
    waiting: events?.waiting ?? null,
    last_event_at: events?.last_event_at ?? null,
    last_heartbeat_at: heartbeat ?? null,
    heartbeat_late: isHeartbeatKnown ? isLate(heartbeat ?? null, now) : null,
    unknown: failures.map(({ part, error }) => ({
      part,
      message: error.message,
      not_allowed: error.failure === 'refused',
    })),
  };
  return { document: { ...document, quiet: isQuiet(document, faults) }, faults, error: failures[0]?.error };
}

/** The only place that decides it, for the command line and the console. */
function isQuiet(status: Omit<StatusDocument, 'quiet'>, faults: readonly Fault[] | undefined): boolean {
  const { alarms, firing, queues, waiting, heartbeat_late, unknown } = status;
  // An alarm that has no data yet is no alarm that is on.
  const isWatched = firing?.length === 0 && alarms?.deleted.length === 0 && unknown.length === 0;
  const isEmpty = waiting?.length === 0 && queues?.dead_letters === 0 && queues.feed_failures === 0;
  return isWatched && isEmpty && heartbeat_late === false && !faults?.length;
}

const isLate = (heartbeatAt: string | null, now: number): boolean =>
  heartbeatAt === null || now - Date.parse(heartbeatAt) > heartbeatMissingAlarmMinutes * 60_000;

/** What waits, and when a live event that is recorded last matched a key. */
async function readEvents(stack: Stack) {
  const operations = openOperations(stack);
  const [{ counts }, { keys }] = await Promise.all([operations.waitingCounts(), operations.keys()]);
  const live = keys.filter(({ mode }) => mode === 'live').map((key) => key.last_matched_at);
  return {
    waiting: counts.filter(({ count }) => count > 0),
    last_event_at: live.toSorted().at(-1) ?? null,
  };
}

async function readFaults(stack: Stack): Promise<readonly Fault[]> {
  const { describeDeployed, inspect } = await import('../safeguards/inspect.ts');
  return inspect(await describeDeployed(stack));
}

const localHeartbeat = v.object({ returned_at: v.nullable(v.string()) });

/** When a heartbeat last returned, within the last hours; `null` if none did. ISO 8601. */
async function readHeartbeat(stack: Stack): Promise<string | null> {
  if (stack.localUrl !== undefined)
    return (await readLocalView(stack.localUrl, '/heartbeat', localHeartbeat)).returned_at;
  const { lastHeartbeat } = await import('../aws/metric-data.ts');
  return (await lastHeartbeat(stack))?.toISOString() ?? null;
}

async function readQueues(stack: Stack): Promise<QueueDepths> {
  const { queueDepth } = await import('../aws/queues.ts');
  const outputs = ['EventQueueUrl', 'DeadLetterQueueUrl', 'FeedFailureQueueUrl'];
  const depths = await Promise.all(outputs.map((output) => queueDepth(stack, outputOf(stack, output))));
  const [events = 0, dead_letters = 0, feed_failures = 0] = depths;
  // An empty queue has none, and the depths are worth showing without it.
  const oldest = events === 0 ? null : await readOldestEvent(stack).catch(() => null);
  return { events, oldest_event_seconds: oldest, dead_letters, feed_failures };
}

const localSeries = v.object({ oldest_seconds: v.array(v.nullable(v.number())) });

/** The age in seconds of the oldest event that is not recorded; `null` if it is not known. */
async function readOldestEvent(stack: Stack): Promise<number | null> {
  if (stack.localUrl !== undefined)
    return (await readLocalView(stack.localUrl, '/series', localSeries)).oldest_seconds.at(-1) ?? null;
  const { oldestMessageSeconds } = await import('../aws/metric-data.ts');
  return oldestMessageSeconds(stack);
}
