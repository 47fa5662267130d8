import type { WaitingKind } from '../contract/schema.ts';
import type { EventRow, OrderRef } from './stores.ts';

/** An event that waits for a person and names an order: a row of the index of what waits. */
export type WaitingEvent = Pick<EventRow, 'outcome' | 'reason' | 'receivedAt' | 'bodySha256'> &
  Required<Pick<EventRow, 'eventId' | 'eventName'>> & { readonly kind: WaitingKind };

export interface OrderWaiting {
  /** By the time of arrival. */
  readonly events: readonly WaitingEvent[];
  /** False when more waits than one request searches: other events may name the order. */
  readonly isComplete: boolean;
}

export interface OrderWaitingReader {
  /** The events that wait, and name this order or were assigned to it; eventually consistent. */
  waitingFor(order: OrderRef): Promise<OrderWaiting>;
}
