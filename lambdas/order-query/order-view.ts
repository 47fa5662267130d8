import type * as api from '@payhooks/order-client';
import { countEvents } from '../domain/counted-events.ts';
import type { OrderState } from '../domain/fold-order.ts';
import { foldSteps } from '../domain/fold-steps.ts';
import type { Mode } from '../domain/signature.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { EventSummary } from '../ports/stores.ts';

export interface OrderViewParts {
  readonly row: OrderRow;
  readonly state: OrderState;
  readonly summaries: ReadonlyMap<string, EventSummary>;
}

/** The state is folded from the facts at read time: no derived state is stored that could be out of date. */
export function orderView({ row, state, summaries }: OrderViewParts): api.Order {
  const events = state.events
    .map((event) => {
      const { receivedAt = null, recordedAt = null } = summaries.get(event.id) ?? {};
      return { ...event, received_at: receivedAt, recorded_at: recordedAt };
    })
    .toSorted(byArrival);
  const { texts } = countEvents(row.facts);
  const arrivals = events.map(({ id }) => texts.get(id) ?? '');
  const steps = foldSteps(row.facts, arrivals);
  return {
    order_id: row.order.id,
    // Found under a key that holds the mode of the caller.
    mode: row.order.mode as Mode,
    status: state.status,
    attention: [...state.attention],
    transactions: [...state.transactions],
    events: events.map((event, n) => ({
      ...event,
      status_after: steps.get(arrivals[n] ?? '')?.status ?? null,
    })),
    sequence: row.sequence,
    updated_at: row.updatedAt,
  };
}

type Arrived = Pick<api.OrderEvent, 'id' | 'received_at' | 'recorded_at'>;

/** ISO 8601 UTC sorts as text; an event whose row cannot be read sorts first. */
export function byArrival(a: Arrived, b: Arrived): number {
  const [left, right] = [arrivalOf(a), arrivalOf(b)];
  if (left !== right) return left < right ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

/** Of two deliveries in one millisecond, the first to be stored came first. */
const arrivalOf = ({ received_at, recorded_at }: Arrived): string =>
  `${received_at ?? ''} ${recorded_at ?? ''}`;
