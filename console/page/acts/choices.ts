import type {
  EventRecords,
  Mode,
  OrderEvents,
  Reason,
  StoredEventRecord,
  WaitingEvent,
  WaitingItem,
  WaitingKind,
} from '@payhooks/order-client';
import { type EventMoney, isInOrderOfEvent } from '../../contract/texts.ts';

/** What an operator may judge: an event, one body of it, a body that is no event, or an event name. */
export interface Subject extends EventMoney {
  readonly mode: Mode;
  readonly kind: WaitingKind;
  readonly waits: boolean;
  /** Its order has both bodies of a conflict: no judgement changes which of them counts. */
  readonly isSettled: boolean;
  readonly eventId: string | null;
  readonly bodySha256: string | null;
  readonly orderId: string | null;
  readonly reason: Reason | null;
  readonly recordedAt: string;
  /** What stands on it already; the list of what waits does not show it. */
  readonly judged: StoredEventRecord['judged'];
}

export const subjectOfItem = (item: WaitingItem, mode: Mode): Subject => ({
  isSettled: item.order_id !== null && item.event?.order_id === item.order_id,
  ...{ mode, kind: item.kind, waits: true, judged: null, reason: item.reason },
  ...{ eventId: item.event_id, bodySha256: item.body_sha256, ...moneyOf(item) },
  ...{ orderId: item.order_id, recordedAt: item.recorded_at },
});

const moneyOf = ({ event_name, meaning, amount, currency }: EventMoney): EventMoney => ({
  ...{ event_name, meaning, amount, currency },
});

/** An event that waits and names the order whose page shows it. */
export const subjectInOrder = (
  event: WaitingEvent,
  { order_id: orderId, mode, events }: Pick<OrderEvents, 'order_id' | 'mode' | 'events'>,
): Subject => ({
  isSettled: event.kind === 'conflict' && events.some(({ id }) => id === event.event_id),
  ...{ mode, kind: event.kind, waits: true, judged: null, reason: event.reason, ...moneyOf(event) },
  ...{ eventId: event.event_id, bodySha256: event.body_sha256, orderId, recordedAt: event.received_at },
});

/** `undefined` for a record that neither waits nor was dismissed: there is nothing to judge. */
export function subjectOfRecord(
  record: StoredEventRecord,
  { id, mode, records }: Pick<EventRecords, 'id' | 'mode' | 'records'>,
): Subject | undefined {
  const kind = record.waiting ?? (record.judged?.verdict === 'dismissed' ? formerKind(record) : undefined);
  if (kind === undefined) return undefined;
  return {
    isSettled: isInOrderOfEvent(record, records),
    ...{ mode, kind, waits: record.waiting !== null, judged: record.judged, reason: record.reason },
    ...{ eventId: id, bodySha256: record.body_sha256, ...moneyOf(record) },
    ...{ orderId: record.order_id, recordedAt: record.recorded_at },
  };
}

/** Why a record waited until it was dismissed. */
function formerKind({ outcome, record }: StoredEventRecord): WaitingKind | undefined {
  if (outcome === 'quarantined') return record === 'event' ? 'order_refused' : 'quarantined';
  return outcome === 'applied' || outcome === 'recorded' ? undefined : outcome;
}

/** Whether the operator names the order to admit it to, because the event names none. */
export function orderField({ kind, orderId, reason }: Subject): 'required' | 'optional' | undefined {
  if (orderId !== null) return undefined;
  return reason === 'order_id_invalid' || kind === 'unassigned' ? 'required' : 'optional';
}

/** The fields of a request that name the subject. With its hash, it is one body of several under an id. */
export function subjectFields({ mode, kind, eventId, event_name, bodySha256 }: Subject) {
  if (kind === 'event_name') return { mode, event_name: event_name ?? '' };
  return {
    mode,
    ...(eventId !== null && { event_id: eventId }),
    ...(bodySha256 !== null && { body_sha256: bodySha256 }),
  };
}
