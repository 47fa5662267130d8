import { erasedEventsPageMax, eventRecordsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { notFound, type Refusal, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import { waitingFor } from '../order-query/order-waiting.ts';
import type { EventRow } from '../ports/stores.ts';
import { type ActUnderWay, conflict, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { belongsTo, type ErasedBody, eraseRows, type RowsToErase } from './erase-rows.ts';
import { cursorAfter, readEventCursor } from './event-cursor.ts';
import { eventIdsOf } from './events-of-order.ts';
import { standingOf } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';
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
  const named = [eventId, orderId, bodySha256].filter((one) => one !== undefined);
  if (named.length !== 1) {
    throw new FieldError('event_id', eventId, 'one of event_id, order_id and body_sha256');
  }
  if (cursor !== undefined && orderId === undefined) {
    throw new FieldError('cursor', cursor, 'no cursor, which only an order_id has');
  }
  if (orderId !== undefined) return eraseOrder(act, parts, { orderId, after: readEventCursor(cursor) });
  const found = eventId === undefined ? await findBody(act, bodySha256 ?? '') : await findEvent(act, eventId);
  return 'problem' in found ? found : eraseAll(act, [found], {});
}

async function findEvent(act: ActUnderWay, eventId: string): Promise<RowsToErase | Refusal> {
  const rows = await act.events.find(act.mode, eventId);
  if (rows.length >= eventRecordsMax) {
    return conflict(
      `The event ${JSON.stringify(eventId)} has ${eventRecordsMax} bodies or more, and one request erases ` +
        'fewer: nothing was erased. Remove body and body_encoding from its rows in the table events.',
    );
  }
  if (rows.length > 0) return { eventId, rows };
  return notFound(`No ${act.mode} event has the id ${JSON.stringify(eventId)}.`);
}

async function findBody(
  { findUnrecognised, mode }: ActUnderWay,
  bodySha256: string,
): Promise<RowsToErase | Refusal> {
  const row = await findUnrecognised(mode, bodySha256);
  if (row !== undefined) return { rows: [row] };
  return notFound(`No ${mode} body that is no event has the SHA-256 ${bodySha256}.`);
}

interface OrderPage {
  readonly orderId: string;
  /** The last event of the page before. */
  readonly after: string | undefined;
}

async function eraseOrder(
  act: ActUnderWay,
  { acts, waiting }: OperationsParts,
  { orderId, after }: OrderPage,
): Promise<RouteResult> {
  const { mode } = act;
  const order = { mode, id: orderId };
  const { events: open } = await waitingFor(waiting, order);
  if (open.length > 0) return refuseWaiting(open.map((event) => event.event_id));
  const facts = (await act.orders.get(order))?.facts ?? [];
  const judged = await acts.actsOf(orderKey(mode, orderId));
  if (facts.length === 0 && judged.length === 0) {
    return notFound(`No ${mode} event has named the order ${JSON.stringify(orderId)}.`);
  }
  const ids = eventIdsOf(facts, judged);
  const left = ids.filter((id) => after === undefined || id > after);
  const page = left.slice(0, erasedEventsPageMax);
  const found = await Promise.all(page.map((id) => findEvent(act, id)));
  const tooMany = found.find((one) => 'problem' in one && one.problem.status === 409);
  if (tooMany !== undefined && 'problem' in tooMany) return tooMany;
  // Rows of 0.2.0 could expire; such an event has nothing to erase.
  const events = found.flatMap((one) => ('problem' in one ? [] : [{ ...one, orderId }]));
  return eraseAll(act, events, {
    orderId,
    cursor: left.length > page.length ? cursorAfter(page.at(-1)) : null,
  });
}

async function eraseAll(
  act: ActUnderWay,
  all: readonly RowsToErase[],
  { orderId, cursor = null }: { readonly orderId?: string; readonly cursor?: string | null },
): Promise<RouteResult> {
  const waiting = all.flatMap(({ rows, orderId: of }) =>
    rows.filter((row) => belongsTo(of)(row) && isOpen(act, row)),
  );
  if (waiting.length > 0) {
    return refuseWaiting(waiting.map(({ eventId, bodySha256 }) => eventId ?? bodySha256));
  }
  const results = [];
  // One after the other: an event has few rows, and a page few events.
  for (const one of all) results.push(await eraseRows(act, one));
  const changed = results.some((result) => result.changed);
  if (orderId !== undefined && changed) {
    await act.audit({ ...act.decision, orderId }, { orderIds: [orderId] });
  }
  const response = await act.respond({ changed });
  const erased: Erased = {
    erased: results.flatMap((result) => result.erased),
    remains: remainsSentences,
    next_cursor: cursor,
  };
  return response.ok ? { ok: true, body: { ...(response.body as object), ...erased } } : response;
}

function refuseWaiting(waiting: readonly string[]): Refusal {
  const ids = [...new Set(waiting)].slice(0, erasedEventsPageMax).map((id) => JSON.stringify(id));
  return conflict(`What waits for a person cannot be erased: ${ids.join(', ')}. Admit or dismiss it first.`);
}

const isOpen = (act: ActUnderWay, row: EventRow): boolean =>
  ['open', 'claimed'].includes(standingOf(row, act.meaningOf).kind);
