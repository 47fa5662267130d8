import type { WaitingKind } from '../contract/schema.ts';
import type { WaitingEvent } from '../ports/order-waiting.ts';
import type { EventRow } from '../ports/stores.ts';
import type { ShownOutcome } from './event-view.ts';

/** An event that names an order and does not count in it before a person has judged it. */
export interface WaitingView {
  readonly event_id: string;
  readonly event_name: string;
  readonly kind: WaitingKind;
  readonly outcome: ShownOutcome;
  readonly reason: NonNullable<EventRow['reason']> | null;
  readonly received_at: string;
  readonly body_sha256: string;
}

export const waitingView = (event: WaitingEvent): WaitingView => ({
  event_id: event.eventId,
  event_name: event.eventName,
  kind: event.kind,
  outcome: event.outcome,
  reason: event.reason ?? null,
  received_at: event.receivedAt,
  body_sha256: event.bodySha256,
});
