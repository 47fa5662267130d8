import type { Attention } from '../domain/attention.ts';
import type { OrderState } from '../domain/fold-order.ts';
import type { Reason } from '../domain/reason.ts';
import { reasonsOf } from '../domain/reasons.ts';
import type { Mode } from '../domain/signature.ts';
import type { Act } from '../ports/acts.ts';
import type { OrderRow } from '../ports/rows.ts';
import { bodySteps, type EventRowsOfOrder } from './body-steps.ts';
import type { ShownOutcome } from './event-view.ts';
import { type OrderAct, orderActs } from './order-acts.ts';
import { type OtherBody, otherBody } from './order-bodies.ts';
import { byArrival, type OrderEvent } from './order-view.ts';
import type { OrderWaiting, WaitingView } from './order-waiting.ts';

/** The response of `GET /orders/{order_id}/events`: where the state comes from, without customer data. */
export interface OrderEventsView {
  readonly order_id: string;
  readonly mode: 'live' | 'sandbox';
  /** Why status and attention are what they are: those of the status first. */
  readonly reasons: readonly Reason[];
  /** In the order in which they were received. */
  readonly events: readonly OrderEventDetail[];
  /** The events that name the order and wait for a person. */
  readonly waiting: readonly WaitingView[];
  /** False when more waits than one request searches: other events may name the order. */
  readonly waiting_complete: boolean;
  /** What operators did, oldest first. */
  readonly acts: readonly OrderAct[];
}

/** An event of an order. The fields of a row that cannot be read are `null`; the fact still counts. */
export interface OrderEventDetail extends OrderEvent {
  readonly outcome: ShownOutcome;
  /** As `status_after`, and before operators resolved anything. */
  readonly attention_after: readonly Attention[] | null;
  readonly key_id: string | null;
  readonly body_sha256: string | null;
  /** Whether the order counts what this body says; `null` when the bodies were not looked up. */
  readonly counts: boolean | null;
  /** The other bodies under the id; `null` when they were not looked up. */
  readonly others: readonly OtherBody[] | null;
}

export interface OrderEventsParts extends EventRowsOfOrder {
  readonly row: OrderRow;
  readonly state: OrderState;
  readonly waiting: OrderWaiting;
  readonly acts: readonly Act[];
}

export function orderEventsView(parts: OrderEventsParts): OrderEventsView {
  const { row, state, bodies, summaries, waiting, acts } = parts;
  const steps = bodySteps(row, { bodies, summaries });
  const details = state.events.map((event): OrderEventDetail => {
    const found = bodies.get(event.id);
    const shown = found?.row ?? summaries.get(event.id);
    const step = steps.ofEvent(event.id);
    return {
      ...event,
      received_at: shown?.receivedAt ?? null,
      recorded_at: shown?.recordedAt ?? null,
      status_after: step?.status ?? null,
      attention_after: step?.attention ?? null,
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
    reasons: reasonsOf(row.facts),
    events: details.toSorted(byArrival),
    waiting: waiting.events,
    waiting_complete: waiting.isComplete,
    acts: orderActs(acts),
  };
}
