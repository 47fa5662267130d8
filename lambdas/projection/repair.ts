import { setTimeout as sleep } from 'node:timers/promises';
import type { LeftReason } from '../contract/left-sentences.ts';
import { consumerInFlightSeconds, repairAttemptsMax, repairPauseMilliseconds } from '../contract/limits.ts';
import { eventKey } from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import { sharedFacts } from '../domain/transaction-entry.ts';
import { type EventRow, isContender, type ReadRow, unknownTime } from '../ports/rows.ts';
import type { Changes, EventNameRow, RepairStore } from '../ports/stores.ts';
import { layOut, transactionIdsOf } from './layout.ts';
import { isEmpty, type Plan, type ProjectionSettings, project, replaces } from './project.ts';

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

/** What a repair is to bring about. */
export interface Intention {
  /** The rows under the id as they shall be read and judged. */
  readonly rows: readonly EventRow[];
  /** Publishes every order that holds the event once for each such text. */
  readonly publish?: string;
  /** Rows under another key that change in the same transaction. */
  readonly also?: Changes['events'];
  /** Throws for a plan that does not do what was intended. */
  readonly check?: (plan: Plan) => void;
}

/** By the rows under the id as they were read. What it throws ends the repair, and nothing is written. */
export type Decide<T extends Intention> = (rows: readonly EventRow[]) => T;

export type Repaired<T = unknown> =
  /** Nothing in the plan changes when everything was so already. */
  | { readonly kind: 'done'; readonly plan: Plan; readonly intention: T; readonly isChanged: boolean }
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number }
  | { readonly kind: 'left'; readonly reason: LeftReason };

export interface RepairOptions {
  /** The store keeps what is committed for itself, so that no consumer writes to it. */
  readonly isDryRun?: boolean;
  /** What is stored with a plan that changes something. What it throws ends the repair. */
  readonly record?: (plan: Plan) => Pick<Changes, 'acts' | 'proposals'>;
}

/**
 * Brings everything that an event has to do with to what the stored readings and judgements make of it, and
 * those to what is intended: reads, projects, and writes what differs in one transaction, on condition that
 * nothing which was read has changed; otherwise it reads again.
 */
export async function repair<T extends Intention>(
  parts: RepairParts,
  subject: Subject,
  decide: Decide<T>,
  { isDryRun = false, record = () => ({ acts: [] }) }: RepairOptions = {},
): Promise<Repaired<T>> {
  const { store, pause = sleep } = parts;
  const full = new Set<string>();
  for (let attempt = 0; attempt < repairAttemptsMax; attempt += 1) {
    if (attempt > 0) await pause(Math.random() * repairPauseMilliseconds * 2 ** (attempt - 1));
    const found = await store.bodiesOf(eventKey(subject.mode, subject.eventId));
    if (found.kind !== 'found') return { kind: 'left', reason: found.kind };
    const intention = decide(found.rows);
    const now = parts.now();
    const settings = { ...parts, mode: subject.mode, now, full, publish: intention.publish };
    const plan = await planRepair(settings, subject, { ...intention, before: found.rows });
    intention.check?.(plan);
    if (isEmpty(plan)) return { kind: 'done', plan, intention, isChanged: false };
    const retryAfterSeconds = !isDryRun && replaces(plan) ? secondsUntilSettled(plan, now) : 0;
    if (retryAfterSeconds > 0) return { kind: 'busy', retryAfterSeconds };
    if (!isDryRun) await storeNames(store, plan);
    const result = await store.commit({ ...plan, names: [], ...record(plan) });
    if (result.kind === 'committed') return { kind: 'done', plan, intention, isChanged: true };
    if (result.kind === 'too_large') return { kind: 'left', reason: 'too_large' };
    if (result.kind === 'full') for (const id of result.orderIds) full.add(id);
  }
  return { kind: 'busy', retryAfterSeconds: 1 };
}

/** A name waits before an event without a meaning is stored: if the commit fails, an alarm is early. */
async function storeNames(store: RepairStore, { events }: Plan): Promise<void> {
  for (const { before, after } of events)
    if (isContender(after) && after.reading.meaning === null && before?.reading?.meaning !== null)
      await store.putEventName(eventNameRow(after));
}

/** Its name has no meaning. */
export const eventNameRow = ({
  mode,
  eventId,
  reading,
  recordedAt,
}: Pick<ReadRow, 'mode' | 'eventId' | 'reading' | 'recordedAt'>): EventNameRow => ({
  ...{ mode, eventName: reading.eventName, eventId, recordedAt },
  ...(reading.orderId !== null && { orderId: reading.orderId }),
  ...(reading.amount !== null && { amount: reading.amount }),
  ...(reading.currency !== null && { currency: reading.currency }),
});

async function planRepair(
  settings: ProjectionSettings & Pick<RepairParts, 'store'>,
  { mode, eventId, shownBy = [] }: Subject,
  { before: rows, rows: intended, also = [] }: Intention & { readonly before: readonly EventRow[] },
): Promise<Plan> {
  const { store } = settings;
  const transactions = await store.transactionRows(mode, transactionIdsOf([...rows, ...intended]));
  const entries = [...transactions.values()].flatMap((row) => row.entries);
  const otherIds = [...sharedFacts(entries).keys()].filter((id) => id !== eventId);
  const stored = { eventId, rows, transactions, others: await rowsOf(store, mode, otherIds) };
  const laidOut = layOut(stored, intended, store.keepsTransactions);
  const layout = { ...laidOut, orderIds: [...new Set([...laidOut.orderIds, ...shownBy])] };
  const orders = await store.orderRows(mode, layout.orderIds);
  const { sequenceBase } = store;
  const { events, ...plan } = project({ ...settings, sequenceBase }, { ...stored, orders }, intended, layout);
  return { ...plan, events: [...events, ...also] };
}

/** Every row of these events: an admitted conflict counts too, and a body expires after its event waits. */
async function rowsOf(
  store: RepairStore,
  mode: AnyMode,
  eventIds: readonly string[],
): Promise<readonly EventRow[]> {
  const rows = eventIds.map(async (id) => {
    const found = await store.bodiesOf(eventKey(mode, id));
    // Of one that no repair handles, the event's own row follows the transaction.
    return found.kind === 'found' ? found.rows : [...(await store.eventRows(mode, [id])).values()];
  });
  return (await Promise.all(rows)).flat();
}

/** How long a consumer may still write what it read before; 0 when none is left that could. */
function secondsUntilSettled({ events, transactions }: Plan, now: Date): number {
  const times = [
    ...events.map(({ before }) => before?.recordedAt),
    ...transactions.map(({ before }) => before?.joinedAt),
  ].map((time = unknownTime) => Date.parse(time));
  const settledAt = Math.max(...times) + consumerInFlightSeconds * 1000;
  return Math.max(0, Math.ceil((settledAt - now.getTime()) / 1000));
}
