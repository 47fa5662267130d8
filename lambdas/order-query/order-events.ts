import type * as api from '@payhooks/order-client';
import { orderKey } from '../contract/schema.ts';
import type { OrderState } from '../domain/fold-order.ts';
import { reasonsOf } from '../domain/reasons.ts';
import type { Mode } from '../domain/signature.ts';
import type { Act } from '../ports/acts.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { EventSummary } from '../ports/stores.ts';
import { bodySteps, type EventRowsOfOrder } from './body-steps.ts';
import { otherBody, readBodies } from './order-bodies.ts';
import { byArrival } from './order-view.ts';
import { type OrderWaiting, waitingFor } from './order-waiting.ts';
import type { OrderQueryParts } from './parts.ts';

/** The body of the response of `GET /orders/{order_id}/events`. */
export async function readOrderEvents(
  parts: OrderQueryParts,
  row: OrderRow,
  state: OrderState,
): Promise<api.OrderEvents> {
  const { order } = row;
  const readEvents = async () => {
    const bodies = await readBodies(parts.events, row);
    const others = state.events.filter(({ id }) => !bodies.has(id));
    return { bodies, summaries: await summariesOf(parts, row, { events: others }) };
  };
  const [events, waiting, acts] = await Promise.all([
    readEvents(),
    waitingFor(parts.waiting, order),
    parts.acts.actsOf(orderKey(order.mode, order.id)),
  ]);
  return orderEventsView({ row, state, ...events, waiting, acts });
}

/** The rows of these events without their bodies, by event id. */
export const summariesOf = (
  { events }: Pick<OrderQueryParts, 'events'>,
  { order }: OrderRow,
  state: Pick<OrderState, 'events'>,
): Promise<ReadonlyMap<string, EventSummary>> =>
  events.summaries(
    order.mode,
    state.events.map(({ id }) => id),
  );

interface OrderEventsParts extends EventRowsOfOrder {
  readonly row: OrderRow;
  readonly state: OrderState;
  readonly waiting: OrderWaiting;
  readonly acts: readonly Act[];
}

/** Where the state comes from, without customer data. The fields of a row that cannot be read are `null`. */
export function orderEventsView(parts: OrderEventsParts): api.OrderEvents {
  const { row, state, bodies, summaries, waiting, acts } = parts;
  const steps = bodySteps(row, { bodies, summaries });
  const details = state.events.map((event): api.OrderEventDetail => {
    const found = bodies.get(event.id);
    const shown = found?.row ?? summaries.get(event.id);
    const step = steps.ofEvent(event.id);
    return {
      ...event,
      received_at: shown?.receivedAt ?? null,
      recorded_at: shown?.recordedAt ?? null,
      status_after: step?.status ?? null,
      attention_after: step ? [...step.attention] : null,
      // What is listed is in the facts of the order.
      outcome: 'applied',
      key_id: shown?.keyId ?? null,
      body_sha256: shown?.bodySha256 ?? null,
      counts: found?.counts ?? null,
      others: found?.others.map((other) => otherBody(other, steps.ofBody(other))) ?? null,
    };
  });
  return {
    order_id: row.order.id,
    // Found under a key that holds the mode of the caller.
    mode: row.order.mode as Mode,
    reasons: [...reasonsOf(row.facts)],
    events: details.toSorted(byArrival),
    waiting: [...waiting.events],
    waiting_complete: waiting.isComplete,
    acts: orderActs(acts),
  };
}

/** The history of an order, oldest first, with an entry for each attention that a resolution is about. */
export const orderActs = (acts: readonly Act[]): api.OrderAct[] =>
  acts.flatMap(({ act, by, at, reason, eventId, orderId, bodySha256, attention }) =>
    (attention ?? [null]).map((name) => ({
      ...{ act, by, at, reason },
      event_id: eventId ?? null,
      order_id: orderId ?? null,
      body_sha256: bodySha256 ?? null,
      attention: name,
    })),
  );
