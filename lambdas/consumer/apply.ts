import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { leftFact } from '../domain/fact.ts';
import type { EventWriter, OrderWriter } from '../ports/stores.ts';
import type { TransactionWriter } from '../ports/transactions.ts';
import type { RowSettings } from './event-rows.ts';
import { groupByOrder, type Merged, mergeFacts, type PendingMerge } from './merge-facts.ts';
import type { Applicable, Routed } from './record-event.ts';
import { type Joined, joinTransactions, type PendingFact } from './routes.ts';
import { settleRows } from './settle-rows.ts';

export interface ApplyParts {
  readonly events: EventWriter;
  readonly transactions: TransactionWriter;
  readonly orders: OrderWriter;
  readonly meaningOf: MeaningOf;
  readonly now: () => Date;
}

/**
 * Applies one event: join, merge, settle. May be repeated; throws when a step fails. Returns the merges of
 * its orders, by order key.
 */
export async function applyEvent(
  parts: ApplyParts,
  routed: Routed,
  settings: RowSettings,
): Promise<ReadonlyMap<string, Merged>> {
  const first = await joinEvent(parts, routed);
  const {
    joined: [joined = first],
    results,
  } = await mergeOrders(parts, [first]);
  const merges = mergesOf(joined, results);
  await settleRows({ events: parts.events, merges, settings }, joined);
  return merges;
}

export async function joinEvent<Event extends Routed>(
  { transactions }: Pick<ApplyParts, 'transactions'>,
  event: Event,
): Promise<Event & Joined> {
  return { ...event, ...(await joinTransactions(transactions, event.mode, event.routes)) };
}

/** Events as they are joined now, and the merges of their orders. */
interface MergedEvents<Event> {
  readonly joined: readonly Event[];
  readonly results: MergeResults;
}

/**
 * Merges events. A payment that joined its transaction just before a replay took its order out of it joins
 * again: the replay marks the order, takes it out, and then looks for other payments in it. So the replay
 * sees the payment, or the payment sees the mark. Then only what its order still lacks is merged.
 */
export async function mergeOrders<Event extends Applicable>(
  parts: Omit<ApplyParts, 'events'>,
  joined: readonly Event[],
): Promise<MergedEvents<Event>> {
  const results = await mergeOnce(parts, joined);
  const left = new Map(joined.flatMap((event) => orderLeftBy(event, results).map((key) => [event, key])));
  if (left.size === 0) return { joined, results };
  const failed = new Map<string, MergeResult>();
  const joinAgain = async (event: Event): Promise<Event> => {
    const key = left.get(event);
    if (key === undefined) return event;
    try {
      return await joinEvent(parts, event);
    } catch (error) {
      failed.set(key, { ok: false, error });
      return event;
    }
  };
  const again = await Promise.all(joined.map(joinAgain));
  const added = await mergeOnce(
    parts,
    again.map((event) => ({ ...event, pendingFacts: event.pendingFacts.filter(isLacking(event, results)) })),
  );
  const both = [...added].map(([key, result]) => [key, bothOf(results.get(key), result)] as const);
  return { joined: again, results: new Map([...results, ...both, ...failed]) };
}

/** The key of the order of a payment whose transaction the order has left, if it has the payment. */
function orderLeftBy({ mode, routes }: Applicable, results: MergeResults): readonly string[] {
  return routes.flatMap((route) => {
    if (route.kind !== 'payment') return [];
    const key = orderKey(mode, route.orderId);
    const result = results.get(key);
    if (!result?.ok || result.merged.refused.has(route.fact)) return [];
    return result.merged.facts.includes(leftFact(route.transactionId)) ? [key] : [];
  });
}

const isLacking =
  ({ mode }: Applicable, results: MergeResults) =>
  ({ orderId, fact }: PendingFact): boolean => {
    const result = results.get(orderKey(mode, orderId));
    if (result === undefined) return true;
    return result.ok && !result.merged.facts.includes(fact) && !result.merged.refused.has(fact);
  };

function bothOf(first: MergeResult | undefined, second: MergeResult): MergeResult {
  if (!first?.ok || !second.ok) return second;
  const [a, b] = [first.merged, second.merged];
  const refused = new Set([...a.refused, ...b.refused]);
  return { ok: true, merged: { ...b, changed: a.changed || b.changed, refused } };
}

type MergeResult =
  | { readonly ok: true; readonly merged: Merged }
  | { readonly ok: false; readonly error: unknown };
/** By order key. */
export type MergeResults = ReadonlyMap<string, MergeResult>;

/** Merges the facts of all events, each order once. An order that fails does not affect the others. */
async function mergeOnce(
  parts: Pick<ApplyParts, 'orders' | 'meaningOf' | 'now'>,
  joined: readonly Applicable[],
): Promise<MergeResults> {
  const merge = async ([key, pending]: [string, PendingMerge]): Promise<[string, MergeResult]> => {
    try {
      return [key, { ok: true, merged: await mergeFacts(parts, pending, parts.now) }];
    } catch (error) {
      return [key, { ok: false, error }];
    }
  };
  return new Map(await Promise.all([...groupByOrder(joined)].map(merge)));
}

/** The merges of an event's orders. Throws the error of one that failed. */
export function mergesOf(
  { mode, pendingFacts }: Applicable,
  results: MergeResults,
): ReadonlyMap<string, Merged> {
  const merges = new Map<string, Merged>();
  for (const { orderId } of pendingFacts) {
    const key = orderKey(mode, orderId);
    const result = results.get(key);
    if (result?.ok === false) throw result.error;
    if (result !== undefined) merges.set(key, result.merged);
  }
  return merges;
}
