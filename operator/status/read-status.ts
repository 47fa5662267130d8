import type { WaitingCount } from '@payhooks/order-client';
import * as v from 'valibot';
import type { QueueDepths } from '../documents.ts';
import { explainError } from '../explain-error.ts';
import { openOperations } from '../operations.ts';
import type { CommandError } from '../operator-error.ts';
import type { Fault } from '../safeguards/safeguard.ts';
import { readLocalView } from '../stack/local-mode.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { type Alarms, readAlarms } from './alarms.ts';

export interface Events {
  /** The kinds of which something waits. */
  readonly waiting: readonly WaitingCount[];
  /** When a live event that is recorded last matched a key, to within minutes; `null` if none has. */
  readonly last_event_at: string | null;
}

/** A part of the status that could not be read. */
export interface UnknownPart {
  readonly part: string;
  readonly error: CommandError;
}

/** What could be read; the rest is in `unknown`. */
export interface Status {
  readonly alarms: Alarms | undefined;
  readonly queues: QueueDepths | undefined;
  readonly events: Events | undefined;
  /**
   * When a heartbeat last returned, within the last hours; `null` if none did. ISO 8601. `undefined` also for a
   * stack without heartbeats.
   */
  readonly heartbeat: string | null | undefined;
  /** What is not as it was deployed; `undefined` also if it was not looked at. */
  readonly faults: readonly Fault[] | undefined;
  readonly unknown: readonly UnknownPart[];
}

interface Reading {
  readonly env: NodeJS.ProcessEnv;
  /** Whether to compare the stack with what was deployed, which takes some 40 calls. */
  readonly inspects?: boolean;
}

/** Reads every part at once; one that fails does not keep the others from being shown. */
export async function readStatus({ env, inspects = false }: Reading, stack: Stack): Promise<Status> {
  const unknown: UnknownPart[] = [];
  const attempt = <Part>(part: string, work: Promise<Part>): Promise<Part | undefined> =>
    work.catch((error: unknown) => {
      unknown.push({ part, error: explainError(error, env) });
      return undefined;
    });
  const [alarms, queues, events, heartbeat, faults] = await Promise.all([
    attempt('alarms', readAlarms(stack)),
    attempt('queues', readQueues(stack)),
    attempt('events', readEvents(stack)),
    attempt('heartbeat', readHeartbeat(stack)),
    inspects ? attempt('safeguards', readFaults(stack)) : undefined,
  ]);
  return { alarms, queues, events, heartbeat, faults, unknown };
}

async function readFaults(stack: Stack): Promise<readonly Fault[]> {
  const { describeDeployed, inspect } = await import('../safeguards/inspect.ts');
  return inspect(await describeDeployed(stack));
}

const localHeartbeat = v.object({ returned_at: v.nullable(v.string()) });

async function readHeartbeat(stack: Stack): Promise<Status['heartbeat']> {
  if (stack.localUrl !== undefined)
    return (await readLocalView(stack.localUrl, '/heartbeat', localHeartbeat)).returned_at;
  if (stack.outputs['HeartbeatLogGroup'] === undefined) return undefined;
  const { lastHeartbeat } = await import('../aws/recent-metric.ts');
  return (await lastHeartbeat(outputOf(stack, 'MetricsNamespace')))?.toISOString() ?? null;
}

async function readEvents(stack: Stack): Promise<Events> {
  const operations = openOperations(stack);
  const [{ counts }, { keys }] = await Promise.all([operations.waitingCounts(), operations.keys()]);
  const live = keys.filter(({ mode }) => mode === 'live').map((key) => key.last_matched_at);
  return {
    waiting: counts.filter(({ count }) => count > 0),
    last_event_at: live.toSorted().at(-1) ?? null,
  };
}

async function readQueues(stack: Stack): Promise<QueueDepths> {
  const { queueDepth } = await import('../aws/queue-depth.ts');
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
  const { oldestMessageSeconds } = await import('../aws/recent-metric.ts');
  return oldestMessageSeconds(outputOf(stack, 'EventQueueUrl'));
}
