import type * as api from '@payhooks/order-client';
import type { OrderState } from '../domain/fold-order.ts';
import type { OrderStep } from '../domain/fold-steps.ts';
import { reasonsOf } from '../domain/reasons.ts';
import type { Mode } from '../domain/signature.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { EventSummary } from '../ports/stores.ts';
import { deliveryView, moneyView } from './event-view.ts';
import { bodySteps, type EventRowsOfOrder } from './order-bodies.ts';
import type { OrderQueryParts, OrderSurroundings } from './order-surroundings.ts';

/** The state is folded from the facts at read time: no derived state is stored that could be out of date. */
export interface FoldedOrder {
  readonly row: OrderRow;
  readonly state: OrderState;
}

/** Orders of one mode, each with the times of its events. */
export async function orderViews(
  { events }: Pick<OrderQueryParts, 'events'>,
  orders: readonly FoldedOrder[],
): Promise<api.Order[]> {
  const mode = orders[0]?.row.order.mode;
  if (mode === undefined) return [];
  const ids = orders.flatMap(({ state }) => state.events.map(({ id }) => id));
  const summaries = await events.summaries(mode, ids);
  return orders.map((order) => orderView({ ...order, summaries }));
}

export function orderView(
  parts: FoldedOrder & { readonly summaries: ReadonlyMap<string, EventSummary> },
): api.Order {
  const { row, state, summaries } = parts;
  const steps = bodySteps(row, { bodies: new Map(), summaries });
  const events = state.events.map((event) => ({
    ...event,
    ...timesOf(summaries.get(event.id)),
    status_after: steps.ofEvent(event.id)?.status ?? null,
  }));
  return {
    ...idOf(row),
    status: state.status,
    attention: [...state.attention],
    transactions: [...state.transactions],
    events: events.toSorted(byArrival),
    sequence: row.sequence,
    updated_at: row.updatedAt,
  };
}

/** Where the state comes from, without customer data. The fields of a row that cannot be read are `null`. */
export function orderEventsView(parts: FoldedOrder & EventRowsOfOrder & OrderSurroundings): api.OrderEvents {
  const { row, state, bodies, summaries, waiting, waiting_complete, acts } = parts;
  const steps = bodySteps(row, { bodies, summaries });
  const details = state.events.map((event): api.OrderEventDetail => {
    const found = bodies.get(event.id);
    const shown = found?.row ?? summaries.get(event.id);
    return {
      ...event,
      ...timesOf(shown),
      ...stepView(steps.ofEvent(event.id)),
      // What is listed is in the facts of the order.
      outcome: 'applied',
      key_id: shown?.keyId ?? null,
      body_sha256: shown?.bodySha256 ?? null,
      counts: found?.counts ?? null,
      others: found?.others.map((other) => otherBody(other, steps.ofBody(other))) ?? null,
    };
  });
  return {
    ...idOf(row),
    reasons: [...reasonsOf(row.facts)],
    events: details.toSorted(byArrival),
    ...{ waiting, waiting_complete, acts },
  };
}

/** Another body under the id of an event, which does not count in the order. */
const otherBody = (row: EventRow, step: OrderStep | undefined): api.OtherBody => ({
  ...deliveryView(row),
  waiting: row.waiting ?? null,
  counts: false,
  ...moneyView(row.reading),
  ...stepView(step),
});

// Found under a key that holds the mode of the caller.
const idOf = ({ order }: OrderRow) => ({ order_id: order.id, mode: order.mode as Mode });

const timesOf = (row: Pick<EventSummary, 'receivedAt' | 'recordedAt'> | undefined) => ({
  received_at: row?.receivedAt ?? null,
  recorded_at: row?.recordedAt ?? null,
});

const stepView = (step: OrderStep | undefined) => ({
  status_after: step?.status ?? null,
  attention_after: step ? [...step.attention] : null,
});

type Arrived = Pick<api.OrderEvent, 'id' | 'received_at' | 'recorded_at'>;

/** ISO 8601 UTC sorts as text; an event whose row cannot be read sorts first. */
function byArrival(a: Arrived, b: Arrived): number {
  const [left, right] = [arrivalOf(a), arrivalOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Of two deliveries in one millisecond, the first to be stored came first. */
const arrivalOf = ({ received_at, recorded_at }: Arrived): string =>
  `${received_at ?? ''} ${recorded_at ?? ''}`;
