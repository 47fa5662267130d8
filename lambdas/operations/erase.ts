import { erasedEventsPageMax, judgementAttemptsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { eventIdOf } from '../domain/fact.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import { waitingFor } from '../order-query/order-waiting.ts';
import type { Act } from '../ports/acts.ts';
import { type ActUnderWay, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { commit } from './dismiss.ts';
import {
  type ErasedBody,
  type EventErasure,
  eraseEvent,
  refuseWaiting,
  whyNot,
  withoutBody,
} from './erase-event.ts';
import { cursorAfter, readEventCursor } from './event-cursor.ts';
import type { OperationsParts } from './parts.ts';
import { busy } from './refusals.ts';
import { type Remains, remainsSentences } from './remains.ts';

/** The response of `POST /operations/erase`, next to what every act returns. */
export interface Erased {
  readonly erased: readonly ErasedBody[];
  /** What the erasure does not reach. */
  readonly remains: readonly Remains[];
  readonly next_cursor: string | null;
}

/** `POST /operations/erase`: the bodies of events go, and with them what they hold about the customer. */
export async function postErase(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['event_id', 'order_id', 'body_sha256', 'cursor']);
  const { event_id: eventId, order_id: orderId, body_sha256: bodySha256, cursor } = subject;
  const act = openAct(parts, 'erase', { ...request, caller });
  const named = [eventId, orderId, bodySha256].filter((subject) => subject !== undefined);
  if (named.length !== 1)
    throw new FieldError('event_id', eventId, 'one of event_id, order_id and body_sha256');
  if (cursor !== undefined && orderId === undefined)
    throw new FieldError('cursor', cursor, 'no cursor, which only an order_id has');
  if (orderId !== undefined) return eraseOrder(parts, act, { orderId, after: readEventCursor(cursor) });
  if (eventId === undefined) return eraseUnrecognised(parts, act, bodySha256 ?? '');
  const result = await eraseEvent(parts, act, { eventId });
  if (result.kind === 'refused') return result.refusal;
  return respond(act, [result], null);
}

interface OrderPage {
  readonly orderId: string;
  /** The last event of the page before. */
  readonly after: string | undefined;
}

async function eraseOrder(
  parts: OperationsParts,
  act: ActUnderWay,
  { orderId, after }: OrderPage,
): Promise<RouteResult> {
  const { mode } = act;
  const order = { mode, id: orderId };
  const { events: open } = await waitingFor(parts.waiting, order);
  if (open.length > 0) return refuseWaiting(open.map((event) => event.event_id));
  const facts = (await parts.orders.get(order))?.facts ?? [];
  const judged = await parts.acts.actsOf(orderKey(mode, orderId));
  if (facts.length === 0 && judged.length === 0)
    return notFound(`No ${mode} event has named the order ${JSON.stringify(orderId)}.`);
  const left = eventIdsOf(facts, judged).filter((id) => after === undefined || id > after);
  const results: EventErasure[] = [];
  const page = left.slice(0, erasedEventsPageMax);
  for (const eventId of page) {
    const result = await eraseEvent(parts, act, { eventId, orderId });
    const isMissing =
      result.kind === 'refused' && !result.refusal.ok && result.refusal.problem.status === 404;
    if (result.kind === 'refused' && !isMissing) return result.refusal;
    results.push(result);
  }
  return respond(act, results, left.length > page.length ? cursorAfter(page.at(-1)) : null);
}

/**
 * The ids of the events that belong to an order, sorted by code unit: those of its facts, and those that an
 * operator has judged, whose facts may not be in it.
 */
const eventIdsOf = (facts: readonly string[], acts: readonly Act[]): readonly string[] =>
  [...new Set([...facts.map(eventIdOf), ...acts.map(({ eventId }) => eventId)])]
    .filter((id) => id !== undefined)
    .sort();

async function eraseUnrecognised(
  parts: OperationsParts,
  act: ActUnderWay,
  bodySha256: string,
): Promise<RouteResult> {
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const row = await parts.events.findUnrecognised(act.mode, bodySha256);
    if (row === undefined)
      return notFound(`No ${act.mode} body that is no event has the SHA-256 ${bodySha256}.`);
    const refusal = whyNot(parts, [row]);
    if (refusal !== undefined) return refusal;
    if (row.erased !== undefined)
      return act.respond({ plans: [], changed: false, decision: row.erased, more: erasedView([], null) });
    const events = [{ before: row, after: withoutBody(row, act.decision) }];
    const about = { subject: { bodySha256 }, partitions: [row.key] };
    if (!(await commit(act, about, { events }))) continue;
    const erased = [{ event_id: null, body_sha256: bodySha256, bytes: row.body?.length ?? 0 }];
    return act.respond({ plans: [{ events, orders: [] }], changed: true, more: erasedView(erased, null) });
  }
  return busy(1);
}

const erasedView = (erased: readonly ErasedBody[], next_cursor: string | null): Erased => ({
  erased,
  remains: remainsSentences,
  next_cursor,
});

function respond(act: ActUnderWay, results: readonly EventErasure[], cursor: string | null): RouteResult {
  const done = results.filter((result) => result.kind === 'done');
  const changed = done.some(({ isChanged }) => isChanged);
  return act.respond({
    plans: done.map(({ plan }) => plan),
    changed,
    decision: changed ? undefined : done[0]?.decision,
    more: erasedView(
      done.flatMap(({ erased }) => erased),
      cursor,
    ),
  });
}
