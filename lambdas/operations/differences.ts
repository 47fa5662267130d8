import { parseFact } from '../domain/fact.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { RowChange } from '../ports/stores.ts';
import type { Plan } from '../projection/project.ts';
import type { LeftReason } from '../projection/repair.ts';
import { changedOrders, type OrderSnapshot, orderSnapshot } from './order-changes.ts';

/**
 * Where what is stored is not what the stored readings and judgements make of it. A rebuild repairs
 * `missing_fact`: an order lacks a fact of an event · `stale_fact`: an order counts a fact that no body of
 * the event yields · `missing_mark`, `stale_mark`: the same of the mark of a conflict or of a shared
 * transaction ·
 * `stale_row`: the row of an event or of its transaction is no longer true. It cannot repair
 * `fact_without_event`: the row behind it is missing, and what a repair passes over.
 */
export type DifferenceKind =
  | 'missing_fact'
  | 'stale_fact'
  | 'missing_mark'
  | 'stale_mark'
  | 'stale_row'
  | 'fact_without_event'
  | LeftReason;

export interface Difference {
  readonly kind: DifferenceKind;
  readonly order_id: string | null;
  readonly event_id: string | null;
  /** The order as it is, and as it should be, once in a response; `null` where a rebuild changes nothing. */
  readonly before: OrderSnapshot | null;
  readonly after: OrderSnapshot | null;
}

const unchanged = { before: null, after: null };

export const leftDifference = (event_id: string, kind: DifferenceKind, order_id?: string): Difference => ({
  kind,
  order_id: order_id ?? null,
  event_id,
  ...unchanged,
});

/** What a plan with the stored readings would repair. */
export function differencesIn(eventId: string, plan: Plan): readonly Difference[] {
  const ofOrders = changedOrders([plan]).flatMap((change) => differencesOfOrder(eventId, change));
  const rows = plan.events.filter(({ before, after }) => before !== after);
  const isTransactionStale = plan.transactions.some(({ before, after }) => before !== after);
  const stale = new Set([
    ...rows.map(({ after }) => after.eventId ?? eventId),
    ...(isTransactionStale ? [eventId] : []),
  ]);
  const ofRows = [...stale].map((event_id): Difference => {
    const row = rows.find(({ after }) => after.eventId === event_id)?.after;
    const order_id = row?.reading?.orderId ?? row?.assignedOrderIds[0] ?? null;
    return { kind: 'stale_row', order_id, event_id, ...unchanged };
  });
  return [...ofOrders, ...ofRows];
}

function differencesOfOrder(eventId: string, { before, after }: RowChange<OrderRow>): readonly Difference[] {
  const snapshots = {
    before: before === undefined ? null : orderSnapshot(before),
    after: orderSnapshot(after),
  };
  const [stored, wanted] = [new Set(before?.facts), new Set(after.facts)];
  const missing = after.facts
    .filter((text) => !stored.has(text))
    .map((text) => ({ text, is: 'missing' as const }));
  const stale = [...stored]
    .filter((text) => !wanted.has(text))
    .map((text) => ({ text, is: 'stale' as const }));
  return [...missing, ...stale].map(({ text, is }): Difference => {
    const fact = parseFact(text);
    const kind = `${is}_${fact.kind === 'event' ? 'fact' : 'mark'}` as const;
    const event_id = 'eventId' in fact ? fact.eventId : eventId;
    return { kind, order_id: after.order.id, event_id, ...snapshots };
  });
}

/** Each once; an order of hundreds of events may have a difference for each of them, and is shown once. */
export function distinct(differences: readonly Difference[]): readonly Difference[] {
  const keyOf = ({ kind, order_id, event_id }: Difference) => JSON.stringify([kind, order_id, event_id]);
  const first = new Map(differences.toReversed().map((difference) => [keyOf(difference), difference]));
  const shown = new Set<string | null>();
  return [...first.values()].toReversed().map((difference) => {
    if (shown.has(difference.order_id)) return { ...difference, ...unchanged };
    if (difference.after !== null) shown.add(difference.order_id);
    return difference;
  });
}
