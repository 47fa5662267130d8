import { consumerInFlightSeconds } from '../contract/limits.ts';
import { erasedEventsPageMax } from '../contract/operations-limits.ts';
import { eventKey, orderKey } from '../contract/schema.ts';
import { notFound, type RouteResult } from '../http-api/route.ts';
import type { Decision } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Plan } from '../projection/project.ts';
import type { Intention } from '../projection/repair.ts';
import type { ActUnderWay } from './act.ts';
import type { OperationsParts } from './parts.ts';
import { busy, conflict, refusalOf } from './refusals.ts';

/** A body that an erasure removed. */
export interface ErasedBody {
  readonly event_id: string | null;
  readonly body_sha256: string;
  readonly bytes: number;
}

interface EventToErase {
  readonly eventId: string;
  /** Only what belongs to this order: a conflicting body may belong to another one, and to its customer. */
  readonly orderId?: string;
}

export type EventErasure =
  | {
      readonly kind: 'done';
      readonly plan: Plan;
      readonly isChanged: boolean;
      readonly erased: readonly ErasedBody[];
      readonly decision: Decision | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: RouteResult };

export async function eraseEvent(
  parts: OperationsParts,
  act: ActUnderWay,
  { eventId, orderId }: EventToErase,
): Promise<EventErasure> {
  const { mode, decision } = act;
  let found: readonly EventRow[] = [];
  const about = {
    subject: { eventId, ...(orderId !== undefined && { orderId }) },
    partitions: [eventKey(mode, eventId), ...(orderId === undefined ? [] : [orderKey(mode, orderId)])],
  };
  const result = await act.repair({ mode, eventId }, about, (rows): Intention<RouteResult> => {
    const meant = rows.filter(belongsTo(orderId));
    if (rows.length === 0)
      return { kind: 'stop', stop: notFound(`No ${mode} event has the id ${JSON.stringify(eventId)}.`) };
    const refusal = whyNot(parts, meant);
    if (refusal !== undefined) return { kind: 'stop', stop: refusal };
    found = meant;
    return {
      kind: 'intend',
      rows: rows.map((row) => (meant.includes(row) && !row.erased ? withoutBody(row, decision) : row)),
    };
  });
  const refusal = refusalOf(result, eventId);
  if (refusal !== undefined || result.kind !== 'done')
    return { kind: 'refused', refusal: refusal ?? busy(1) };
  const erased = found.flatMap(({ body, bodySha256 }) =>
    body === undefined ? [] : [{ event_id: eventId, body_sha256: bodySha256, bytes: body.length }],
  );
  const earlier = found.find((row) => row.erased !== undefined)?.erased;
  return { kind: 'done', plan: result.plan, isChanged: result.isChanged, erased, decision: earlier };
}

/** A body that names no order may be about any order that has its event. */
const belongsTo =
  (orderId: string | undefined) =>
  ({ reading, assignedOrderIds }: EventRow): boolean => {
    const named = reading?.orderId == null ? assignedOrderIds : [reading.orderId];
    return orderId === undefined || named.length === 0 || named.includes(orderId);
  };

export const withoutBody = ({ body: _, bodyRow: __, ...row }: EventRow, erased: Decision): EventRow => ({
  ...row,
  erased,
});

export function whyNot(
  { eventRetentionDays, now }: OperationsParts,
  rows: readonly EventRow[],
): RouteResult | undefined {
  const waiting = rows.filter((row) => row.waiting !== undefined);
  if (waiting.length > 0)
    return refuseWaiting(waiting.map(({ eventId, bodySha256 }) => eventId ?? bodySha256));
  // A consumer may be about to store the body in its own row, which comes after the row of the event.
  const newest = Math.max(...rows.map(({ recordedAt }) => Date.parse(recordedAt)));
  const seconds = Math.ceil((newest - now().getTime()) / 1000) + consumerInFlightSeconds;
  return eventRetentionDays !== undefined && seconds > 0 ? busy(seconds) : undefined;
}

export function refuseWaiting(waiting: readonly string[]): RouteResult {
  const ids = [...new Set(waiting)].slice(0, erasedEventsPageMax).map((id) => JSON.stringify(id));
  return conflict(`What waits for a person cannot be erased: ${ids.join(', ')}. Admit or dismiss it first.`);
}
