import type { Mode, Reason, StoredEventRecord, WaitingItem, WaitingKind } from '@payhooks/order-client';

/** What an operator may judge: an event, one body of it, a body that is no event, or an event name. */
export interface Subject {
  readonly mode: Mode;
  readonly kind: WaitingKind;
  readonly waits: boolean;
  readonly eventId: string | null;
  readonly eventName: string | null;
  readonly bodySha256: string | null;
  readonly orderId: string | null;
  readonly reason: Reason | null;
  readonly recordedAt: string;
  /** What stands on it already; the list of what waits does not show it. */
  readonly judged: StoredEventRecord['judged'];
}

export const subjectOfItem = (item: WaitingItem, mode: Mode): Subject => ({
  ...{ mode, kind: item.kind, waits: true, judged: null, reason: item.reason },
  ...{ eventId: item.event_id, eventName: item.event_name, bodySha256: item.body_sha256 },
  ...{ orderId: item.order_id, recordedAt: item.recorded_at },
});

/** `undefined` for a record that neither waits nor was dismissed: there is nothing to judge. */
export function subjectOfRecord(
  record: StoredEventRecord,
  { id, mode }: { readonly id: string | null; readonly mode: Mode },
): Subject | undefined {
  const kind = record.waiting ?? (record.judged?.verdict === 'dismissed' ? formerKind(record) : undefined);
  if (kind === undefined) return undefined;
  return {
    ...{ mode, kind, waits: record.waiting !== null, judged: record.judged, reason: record.reason },
    ...{ eventId: id, eventName: record.event_name, bodySha256: record.body_sha256 },
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
export function subjectFields({ mode, kind, eventId, eventName, bodySha256 }: Subject) {
  if (kind === 'event_name') return { mode, event_name: eventName ?? '' };
  return {
    mode,
    ...(eventId !== null && { event_id: eventId }),
    ...(bodySha256 !== null && { body_sha256: bodySha256 }),
  };
}
