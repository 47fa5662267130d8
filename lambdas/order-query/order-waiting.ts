import type * as api from '@payhooks/order-client';
import { waitingPagesMax } from '../contract/limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { Act } from '../ports/acts.ts';
import type { OrderRef } from '../ports/rows.ts';
import type { WaitingPosition, WaitingReader, WaitingRow } from '../ports/waiting-reader.ts';
import type { OrderQueryParts } from './parts.ts';

export interface OrderWaiting {
  /** In the order in which they were received. */
  readonly events: readonly api.WaitingEvent[];
  /** False when more waits than one request searches: other events may name the order. */
  readonly isComplete: boolean;
}

/**
 * The kinds whose rows may name an order. An `unassigned` event and an `unrecognised` body name none; the
 * first event of a name without a meaning is in its order.
 */
const kindsWithOrder = ['quarantined', 'order_refused', 'conflict'] as const satisfies WaitingKind[];
const pageRowsMax = 1_000;

/** What concerns an order and is not in its row. */
export interface OrderSurroundings {
  readonly waiting: OrderWaiting;
  /** What operators did, oldest first. */
  readonly acts: readonly Act[];
}

export async function readSurroundings(
  parts: Pick<OrderQueryParts, 'waiting' | 'acts'>,
  order: OrderRef,
): Promise<OrderSurroundings> {
  const [waiting, acts] = await Promise.all([
    waitingFor(parts.waiting, order),
    parts.acts.actsOf(orderKey(order.mode, order.id)),
  ]);
  return { waiting, acts };
}

/** The events that wait, and name this order or were assigned to it; eventually consistent. */
export async function waitingFor(
  waiting: Pick<WaitingReader, 'list'>,
  order: OrderRef,
): Promise<OrderWaiting> {
  const found = await Promise.all(kindsWithOrder.map((kind) => ofKind(waiting, order, kind)));
  return {
    events: found
      .flatMap(({ events }) => events)
      .toSorted((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at)),
    isComplete: found.every(({ isComplete }) => isComplete),
  };
}

async function ofKind(
  waiting: Pick<WaitingReader, 'list'>,
  { mode, id }: OrderRef,
  kind: WaitingKind,
): Promise<OrderWaiting> {
  const events: api.WaitingEvent[] = [];
  const selection = { mode, kind, orderId: id, limit: pageRowsMax };
  let after: WaitingPosition | undefined;
  for (let pages = 0; pages < waitingPagesMax; pages += 1) {
    const { rows, next } = await waiting.list({ ...selection, after });
    events.push(...rows.map((row) => waitingView(row, kind)));
    if (next === undefined) return { events, isComplete: true };
    after = next;
  }
  return { events, isComplete: false };
}

/** Rows of these kinds have all of these attributes. */
function waitingView(row: WaitingRow, kind: WaitingKind): api.WaitingEvent {
  const { eventId = '', eventName = '', outcome = 'quarantined', reason = null } = row;
  const { receivedAt = row.recordedAt, bodySha256 = '' } = row;
  return {
    event_id: eventId,
    event_name: eventName,
    ...{ kind, outcome, reason },
    received_at: receivedAt,
    body_sha256: bodySha256,
  };
}
