import { eventKey, eventRecord } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { parseFact } from '../domain/fact.ts';
import type { EventReader, EventWriter, OrderRow } from '../ports/stores.ts';
import { type ChangedOrder, type OrderSnapshot, orderChange } from './order-changes.ts';
import { hasMoved, type ReplayedEvent } from './replay-event.ts';

/**
 * Where tables and events disagree. A replay repairs `missing_fact`: an order lacks a fact of an event ·
 * `stale_fact`: an order counts a fact that no body of the event yields · `missing_mark`: an order lacks the
 * mark of a conflict or of a shared transaction · `stale_row`: the row of an event has an order or outcome
 * that is no longer true. It cannot repair `fact_without_event` and `mark_without_event`: the row behind it
 * is missing · `refused_event`: this version would not accept a body that an older one applied.
 */
export type DifferenceKind =
  | 'missing_fact'
  | 'stale_fact'
  | 'missing_mark'
  | 'stale_row'
  | 'fact_without_event'
  | 'mark_without_event'
  | 'refused_event';

export interface Difference {
  readonly kind: DifferenceKind;
  readonly order_id: string | null;
  readonly event_id: string | null;
  /**
   * The order as it is, and as the fold of its events, once in a response; `null` where a replay changes
   * nothing.
   */
  readonly before: OrderSnapshot | null;
  readonly after: OrderSnapshot | null;
}

/** The differences that a replay in a dry run has found. */
export function differencesOf(
  results: readonly ReplayedEvent[],
  orders: readonly ChangedOrder[],
  meaningOf: MeaningOf,
): readonly Difference[] {
  const changed = new Map(
    orders.map((order) => {
      const { before, after } = orderChange(order, meaningOf);
      return [order.order.id, { known: new Set(order.before), before, after }];
    }),
  );
  const found = results.flatMap((result): Difference[] => {
    const event_id = result.eventId;
    const unchanged = { event_id, before: null, after: null };
    if (result.kind === 'left') {
      const isJudged = ['waiting', 'dismissed'].includes(result.reason);
      return isJudged ? [] : [{ kind: 'refused_event', order_id: null, ...unchanged }];
    }
    const ofFacts = result.facts.flatMap(({ orderId: order_id, fact }): Difference[] => {
      const order = changed.get(order_id);
      if (order === undefined || order.known.has(fact)) return [];
      const { before, after } = order;
      return [{ ...missing(fact, event_id), order_id, before, after }];
    });
    const order_id = result.after.orderId ?? result.after.assignedOrderId ?? null;
    const isStale = hasMoved(result) || isSettledElsewhere(result);
    return isStale ? [...ofFacts, { kind: 'stale_row', order_id, ...unchanged }] : ofFacts;
  });
  const distinct = new Map(found.map((one) => [JSON.stringify([one.kind, one.order_id, one.event_id]), one]));
  return withSnapshotsOnce([...distinct.values()]);
}

/** Whether a replay would give the event another outcome, or an event without an order id another order. */
const isSettledElsewhere = ({ before, after }: Extract<ReplayedEvent, { kind: 'replayed' }>): boolean =>
  before.outcome !== after.outcome || before.assignedOrderId !== after.assignedOrderId;

/** An order of hundreds of events may have a difference for each of them, and is shown once. */
function withSnapshotsOnce(differences: readonly Difference[]): readonly Difference[] {
  const shown = new Set<string | null>();
  return differences.map((one) => {
    if (shown.has(one.order_id)) return { ...one, before: null, after: null };
    if (one.after !== null) shown.add(one.order_id);
    return one;
  });
}

/** What the lack of a fact means; a payment also brings the facts of other events to its order. */
function missing(text: string, eventId: string): Pick<Difference, 'kind' | 'event_id'> {
  const fact = parseFact(text);
  if (fact.kind === 'event') return { kind: 'missing_fact', event_id: fact.eventId };
  if (fact.kind !== 'correction') return { kind: 'missing_mark', event_id: eventId };
  return { kind: fact.n % 2 === 1 ? 'stale_fact' : 'missing_fact', event_id: eventId };
}

export interface OrderComparison {
  readonly events: Pick<EventWriter, 'getRow'> & Pick<EventReader, 'summaries'>;
}

export interface ComparedOrder {
  /** The facts and marks without an event behind them. */
  readonly differences: readonly Difference[];
  /** The events whose own row names another order. */
  readonly elsewhere: readonly string[];
}

/** The order the other way round: from its facts to their events. */
export async function compareOrder(
  { events }: OrderComparison,
  { order: { mode, id: order_id }, facts }: OrderRow,
): Promise<ComparedOrder> {
  const parsed = facts.map(parseFact);
  const eventIds = parsed.flatMap((fact) => (fact.kind === 'event' ? [fact.eventId] : []));
  const known = await events.summaries(mode, eventIds);
  const unknown = [...new Set(eventIds)].filter((id) => !known.has(id));
  const marks = parsed.filter((fact) => fact.kind === 'conflict');
  const unmarked = await Promise.all(
    marks.map(async ({ eventId, bodySha256 }) => {
      const row = await events.getRow(eventKey(mode, eventId), eventRecord.conflict(bodySha256));
      return row === undefined ? [eventId] : [];
    }),
  );
  const found = [
    ...unknown.map((event_id) => ({ kind: 'fact_without_event' as const, event_id })),
    ...unmarked.flat().map((event_id) => ({ kind: 'mark_without_event' as const, event_id })),
  ];
  const elsewhere = [...known].flatMap(([eventId, { orderId, assignedOrderId }]) =>
    (orderId ?? assignedOrderId) === order_id ? [] : [eventId],
  );
  const differences = found.map((one) => ({ ...one, order_id, before: null, after: null }));
  return { differences, elsewhere };
}
