import { orderBodiesEventsMax } from '../contract/operations-limits.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import type { Attention } from '../domain/attention.ts';
import { countedFacts } from '../domain/counted-events.ts';
import { conflictFact, type Fact, factOfBody, parseFact } from '../domain/fact.ts';
import type { OrderStatus } from '../domain/fold-order.ts';
import type { OrderStep } from '../domain/fold-steps.ts';
import type { EventReader, EventRow, OrderRow } from '../ports/stores.ts';
import { type EventRecordView, leadingEvent, type ShownOutcome } from './event-view.ts';

/** Another body under the id of an event, which does not count in the order. */
export interface OtherBody
  extends Pick<
    EventRecordView,
    'reason' | 'order_id' | 'received_at' | 'recorded_at' | 'key_id' | 'body_sha256'
  > {
  readonly outcome: ShownOutcome;
  readonly waiting: WaitingKind | null;
  readonly counts: false;
  /** What the body says; `null` when it says none, or is no longer stored. */
  readonly amount: string | null;
  readonly currency: string | null;
  /** Of the order, after this body; `null` for a body that added nothing to the order. */
  readonly status_after: OrderStatus | null;
  readonly attention_after: readonly Attention[] | null;
}

/** Every body under one event id. */
export interface EventBodies {
  /** The body that counts in the order, or else the first; `undefined` when its row has expired. */
  readonly row: EventRow | undefined;
  /** Whether the order counts what that body says. */
  readonly counts: boolean;
  readonly others: readonly EventRow[];
}

/**
 * The bodies under the ids of the events of an order, by event id. For an order with very many events it
 * leaves out some that have one fact.
 */
export async function readBodies(
  { events, meaningOf }: { readonly events: EventReader; readonly meaningOf: MeaningOf },
  { order, facts }: OrderRow,
): Promise<ReadonlyMap<string, EventBodies>> {
  const counted = countedFacts(facts, meaningOf);
  const contested = contestedFacts(facts);
  const ids = [...counted.keys()].toSorted((a, b) => Number(contested.has(b)) - Number(contested.has(a)));
  const found = ids.slice(0, orderBodiesEventsMax).map(async (id): Promise<[string, EventBodies]> => {
    const rows = await events.find(order.mode, id);
    return [id, choose(rows, counted.get(id), contested.has(id))];
  });
  return new Map(await Promise.all(found));
}

/** By event id, the facts of the ids under which the order has more than one. */
function contestedFacts(facts: readonly string[]): ReadonlyMap<string | undefined, readonly Fact[]> {
  const byId = Map.groupBy(facts.map(parseFact), (fact) => ('eventId' in fact ? fact.eventId : undefined));
  return new Map([...byId].filter(([, some]) => some.length > 1));
}

function choose(rows: readonly EventRow[], fact: string | undefined, isContested: boolean): EventBodies {
  const found = leadingEvent(rows);
  if (found === undefined) return { row: undefined, counts: false, others: [] };
  const sorted = [found.row, ...found.others];
  const says = (row: EventRow): boolean => row.fact === fact || factOf(row) === fact;
  // Another release may have read other parts of the body of the only event under its id.
  const row = sorted.find(says) ?? (isContested ? undefined : found.row);
  const shown = row ?? found.row;
  return { row: shown, counts: row !== undefined, others: sorted.filter((one) => one !== shown) };
}

/** Other rows than that of the event are stored without their fact. */
const factOf = ({ body }: EventRow): string | undefined => body && factOfBody(body);

/** What a body may have added to its order: what it says, or that it conflicts. */
export const factsFrom = (row: EventRow): readonly (string | undefined)[] => [
  row.fact ?? factOf(row),
  conflictFact(row.eventId ?? '', row.bodySha256),
];

function moneyOf(row: EventRow): Pick<OtherBody, 'amount' | 'currency'> {
  const fact = row.fact ?? factOf(row);
  const said = fact === undefined ? undefined : parseFact(fact);
  return said?.kind === 'event'
    ? { amount: said.amount, currency: said.currency }
    : { amount: null, currency: null };
}

export const otherBody = (row: EventRow, step: OrderStep | undefined): OtherBody => ({
  outcome: row.outcome,
  reason: row.reason ?? null,
  waiting: row.waiting ?? null,
  order_id: row.orderId ?? row.assignedOrderId ?? null,
  received_at: row.receivedAt,
  recorded_at: row.recordedAt,
  key_id: row.keyId,
  body_sha256: row.bodySha256,
  counts: false,
  ...moneyOf(row),
  status_after: step?.status ?? null,
  attention_after: step?.attention ?? null,
});
