import type { EventRow } from '../ports/stores.ts';
import type { ReplayedEvent } from './replay-event.ts';

interface RowState {
  readonly outcome: EventRow['outcome'];
  readonly waiting: NonNullable<EventRow['waiting']> | null;
  /** The order that the event names, or else the one that it was assigned to. */
  readonly order_id: string | null;
}

/** An event whose row a replay changed. */
export interface ReplayedRow {
  readonly event_id: string;
  readonly body_sha256: string;
  readonly before: RowState;
  readonly after: RowState;
}

const stateOf = ({ outcome, waiting, orderId, assignedOrderId }: EventRow): RowState => ({
  outcome,
  waiting: waiting ?? null,
  order_id: orderId ?? assignedOrderId ?? null,
});

export const replayedRows = (results: readonly ReplayedEvent[]): readonly ReplayedRow[] =>
  results.flatMap((result) => {
    if (result.kind === 'left') return [];
    const [before, after] = [stateOf(result.before), stateOf(result.after)];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ event_id: result.eventId, body_sha256: result.before.bodySha256, before, after }];
  });
