import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { EventWriter, OrderWriter } from '../ports/stores.ts';
import type { TransactionWriter } from '../ports/transactions.ts';
import type { RowSettings } from './event-rows.ts';
import { groupByOrder, type Merged, mergeFacts, type PendingMerge } from './merge-facts.ts';
import type { Applicable, Routed } from './record-event.ts';
import { type Joined, joinTransactions } from './routes.ts';
import { type Fate, settleRows } from './settle-rows.ts';

export interface ApplyParts {
  readonly events: EventWriter;
  readonly transactions: TransactionWriter;
  readonly orders: OrderWriter;
  readonly meaningOf: MeaningOf;
  readonly now: () => Date;
}

/** The merges of an event's orders, by order key, and what became of its own fact. */
export interface Applied {
  readonly merges: ReadonlyMap<string, Merged>;
  readonly fate: Fate | undefined;
}

/** Applies one event: join, merge, settle. May be repeated; throws when a step fails. */
export async function applyEvent(parts: ApplyParts, routed: Routed, settings: RowSettings): Promise<Applied> {
  const joined = await joinEvent(parts, routed);
  const merges = mergesOf(joined, await mergeOrders(parts, [joined]));
  const settling = { events: parts.events, merges, settings };
  const { own, ...others } = joined;
  const waitingFacts = joined.waitingFacts.filter((fact) => fact !== own?.fact);
  // Its own row last: once that no longer waits, a repetition has nothing left to do.
  await settleRows(settling, { ...others, waitingFacts });
  return { merges, fate: await settleRows(settling, { ...joined, waitingFacts: [] }) };
}

export async function joinEvent<Event extends Routed>(
  { transactions }: Pick<ApplyParts, 'transactions'>,
  event: Event,
): Promise<Event & Joined> {
  return { ...event, ...(await joinTransactions(transactions, event.mode, event.routes)) };
}

type MergeResult =
  | { readonly ok: true; readonly merged: Merged }
  | { readonly ok: false; readonly error: unknown };
/** By order key. */
export type MergeResults = ReadonlyMap<string, MergeResult>;

/** Merges the facts of all events, each order once. An order that fails does not affect the others. */
export async function mergeOrders(
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
