import { setTimeout as sleep } from 'node:timers/promises';
import { consumerInFlightSeconds, repairAttemptsMax, repairPauseMilliseconds } from '../contract/limits.ts';
import { eventFact } from '../domain/fact.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Changes, RepairStore } from '../ports/stores.ts';
import { isConflict, isOwn } from './contributions.ts';
import { type IntendedRows, layOut, otherFactsIn, transactionIdsOf } from './layout.ts';
import { isEmpty, type Plan, type ProjectionSettings, project, removes } from './project.ts';

export interface RepairParts {
  readonly store: RepairStore;
  /** `undefined` keeps the bodies of events without a limit. */
  readonly eventRetentionDays: number | undefined;
  readonly now: () => Date;
  /** By default as DynamoDB bounds an item. */
  readonly fits?: ProjectionSettings['fits'];
  /** Waits this many milliseconds; by default for real. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

export interface Subject {
  readonly mode: AnyMode;
  readonly eventId: string;
  /** Orders that hold facts of the event although nothing else leads to them. */
  readonly shownBy?: readonly string[];
}

/** What a repair is to bring about, from the rows under the id as they were read. */
export type Intention<Stop> =
  | {
      readonly kind: 'intend';
      readonly rows: IntendedRows;
      readonly publish?: string;
      /** Rows under another key that change in the same transaction. */
      readonly also?: Changes['events'];
      /** A plan that does not do what was intended is not carried out. */
      readonly check?: (plan: Plan) => Stop | undefined;
    }
  /** Nothing to do; the reason is the caller's. */
  | { readonly kind: 'stop'; readonly stop: Stop };

export type Decide<Stop> = (rows: readonly EventRow[]) => Intention<Stop>;

/** Why an event is passed over, and listed. */
export type LeftReason = 'too_many_bodies' | 'unreadable' | 'too_large';

export type Repaired<Stop = never> =
  /** Nothing in the plan changes when everything was so already. */
  | { readonly kind: 'done'; readonly plan: Plan; readonly isChanged: boolean }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'left'; readonly reason: LeftReason }
  | { readonly kind: 'stopped'; readonly stop: Stop };

export interface RepairOptions {
  /** The store keeps what is committed for itself, so that no consumer writes to it. */
  readonly isDryRun?: boolean;
  /** The acts that are stored with a plan that changes something. */
  readonly acts?: (plan: Plan) => Changes['acts'];
}

/**
 * Brings everything that an event has to do with to what the stored readings and judgements make of it, and
 * those to what is intended: reads, projects, and writes what differs in one transaction, on condition that
 * nothing which was read has changed; otherwise it reads again.
 */
export async function repair<Stop = never>(
  parts: RepairParts,
  subject: Subject,
  decide: Decide<Stop>,
  { isDryRun = false, acts = () => [] }: RepairOptions = {},
): Promise<Repaired<Stop>> {
  const { store, pause = sleep } = parts;
  const full = new Set<string>();
  for (let attempt = 0; attempt < repairAttemptsMax; attempt += 1) {
    if (attempt > 0) await pause(Math.random() * repairPauseMilliseconds * 2 ** (attempt - 1));
    const found = await store.bodiesOf(subject.mode, subject.eventId);
    if (found.kind === 'too_many') return { kind: 'left', reason: 'too_many_bodies' };
    if (found.kind === 'unreadable') return { kind: 'left', reason: 'unreadable' };
    const intention = decide(found.rows);
    if (intention.kind === 'stop') return { kind: 'stopped', stop: intention.stop };
    const { publish } = intention;
    const settings = { ...parts, mode: subject.mode, now: parts.now(), full, publish };
    const derived = await planRepair(store, subject, {
      settings,
      rows: found.rows,
      intended: intention.rows,
    });
    const plan = { ...derived, events: [...derived.events, ...(intention.also ?? [])] };
    const stop = intention.check?.(plan);
    if (stop !== undefined) return { kind: 'stopped', stop };
    if (isEmpty(plan)) return { kind: 'done', plan, isChanged: false };
    const retryAfterSeconds = !isDryRun && removes(plan) ? secondsUntilSettled(plan, settings.now) : 0;
    if (retryAfterSeconds > 0) return { kind: 'busy', retryAfterSeconds };
    if (!isDryRun) await storeNames(store, plan);
    const result = await store.commit({ ...plan, names: [], acts: acts(plan) });
    if (result.kind === 'committed') {
      if (!isDryRun) await expireBodies(parts, subject, plan);
      return { kind: 'done', plan, isChanged: true };
    }
    if (result.kind === 'too_large') return { kind: 'left', reason: 'too_large' };
    if (result.kind === 'full') for (const id of result.orderIds) full.add(id);
  }
  return { kind: 'busy', retryAfterSeconds: 1 };
}

/** A name waits before an event without a meaning is stored: if the commit fails, only an alarm is early. */
async function storeNames(store: RepairStore, { events }: Plan): Promise<void> {
  for (const { before, after } of events) {
    const { eventId, mode, reading, recordedAt } = after;
    const isNew = before?.reading?.meaning !== null && (isOwn(after) || isConflict(after));
    if (eventId === undefined || reading?.meaning !== null || !isNew) continue;
    const named = reading.orderId === null ? {} : { orderId: reading.orderId };
    await store.putEventName({ mode, eventName: reading.eventName, eventId, ...named, recordedAt });
  }
}

/** The bodies of other events were not read; whether they expire follows from the rows as they are now. */
async function expireBodies(parts: RepairParts, { mode, eventId }: Subject, plan: Plan): Promise<void> {
  if (parts.eventRetentionDays === undefined) return;
  const changed = plan.events
    .filter(({ before, after }) => before !== after)
    .map(({ after }) => after.eventId);
  for (const other of new Set(changed)) {
    if (other !== undefined && other !== eventId)
      await repair(parts, { mode, eventId: other }, (rows) => ({ kind: 'intend', rows }));
  }
}

interface Planning {
  readonly settings: ProjectionSettings;
  readonly rows: readonly EventRow[];
  readonly intended: IntendedRows;
}

async function planRepair(
  store: RepairStore,
  { mode, eventId, shownBy = [] }: Subject,
  { settings, rows, intended }: Planning,
): Promise<Plan> {
  const transactions = await store.transactionRows(mode, transactionIdsOf(rows, intended));
  const others = await otherRows(store, mode, otherFactsIn(transactions, eventId));
  const stored = { eventId, rows, transactions, others };
  const laidOut = layOut(stored, intended);
  const layout = { ...laidOut, orderIds: [...new Set([...laidOut.orderIds, ...shownBy])] };
  const orders = await store.orderRows(mode, layout.orderIds);
  return project(settings, { ...stored, orders }, intended, layout);
}

/** Also the rows of admitted conflicts: only these add a fact that is not that of the event's own row. */
async function otherRows(
  store: RepairStore,
  mode: AnyMode,
  factsOf: ReadonlyMap<string, readonly string[]>,
): Promise<readonly EventRow[]> {
  const own = await store.eventRows(mode, [...factsOf.keys()]);
  const rows = [...factsOf].map(async ([eventId, facts]): Promise<readonly EventRow[]> => {
    const row = own.get(eventId);
    if (row === undefined) return [];
    const fact = row.reading && eventFact(eventId, row.reading);
    if (facts.every((text) => text === fact)) return [row];
    const found = await store.bodiesOf(mode, eventId);
    return found.kind === 'found' ? [row, ...found.rows.filter(isConflict)] : [row];
  });
  return (await Promise.all(rows)).flat();
}

/** How long a consumer may still write what it read before; 0 when none is left that could. */
function secondsUntilSettled({ events, transactions }: Plan, now: Date): number {
  const times = [
    ...events.map(({ before }) => before?.recordedAt),
    ...transactions.map(({ before }) => before?.joinedAt),
  ].map((time) => (time === undefined ? Number.NEGATIVE_INFINITY : Date.parse(time)));
  const settledAt = Math.max(...times) + consumerInFlightSeconds * 1000;
  return Math.max(0, Math.ceil((settledAt - now.getTime()) / 1000));
}
