import { orderKey } from '../contract/schema.ts';
import type { OrderState } from '../domain/fold-order.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { EventSummary } from '../ports/stores.ts';
import { readBodies } from './order-bodies.ts';
import { type OrderEventsView, orderEventsView } from './order-events-view.ts';
import { waitingFor } from './order-waiting.ts';
import type { OrderQueryParts } from './parts.ts';

/** The body of the response of `GET /orders/{order_id}/events`. */
export async function readOrderEvents(
  parts: OrderQueryParts,
  row: OrderRow,
  state: OrderState,
): Promise<OrderEventsView> {
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
