import { replayEventsMax } from '../contract/operations-limits.ts';
import { eventKey, replayKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import { openAct } from './act.ts';
import { type ActRequest, FieldError, readActRequest, type Subject } from './act-request.ts';
import { fillResponse } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';
import { publishAgain } from './publish-again.ts';
import { decodeReplayCursor, encodeReplayCursor, type ReplayCursor } from './replay-cursor.ts';
import { isReread } from './replay-event.ts';
import { type NextEvent, type Place, replayPage } from './replay-page.ts';
import { eventsOfOrder, scannedEvents } from './replay-sources.ts';

const fields = ['event_id', 'order_id', 'since', 'until', 'cursor', 'limit', 'publish'] as const;
type ReplaySubject = Subject<(typeof fields)[number]>;

/** The response of `POST /operations/replay`, next to what every act returns. */
export interface Replayed {
  /** Events that were handled again, whether that changed anything or not. */
  readonly replayed: number;
  /** Events that were left as they are, and why. */
  readonly left: readonly { readonly event_id: string; readonly reason: string }[];
  /** `null` at the end of the run. */
  readonly next_cursor: string | null;
}

/** `POST /operations/replay`: handles the stored bodies of one event, of an order or of a time again. */
export async function postReplay(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, fields);
  refuseSeveralSubjects(subject);
  const run = readRun(parts, request, subject);
  const events = await eventsOf(parts, run, subject);
  if (events === undefined) return notFound(describeMissing(request.mode, subject));
  const act = openAct(parts, 'replay', { ...request, caller });
  // All pages of a run have one time, so that it has one row among the acts.
  const decision = { ...act.decision, at: run.at };
  const { event_id: eventId, order_id: orderId } = subject;
  const audited = { ...decision, ...(eventId && { eventId }), ...(orderId && { orderId }) };
  const key = eventId === undefined ? replayKey(request.mode) : eventKey(request.mode, eventId);
  act.auditBeforeChange(audited, key);
  const replayParts = { ...act, eventRetentionDays: parts.eventRetentionDays };
  const { results, after } = await replayPage(replayParts, {
    mode: request.mode,
    events,
    limit: subject.limit ?? replayEventsMax,
    isFull: async () => fillResponse(await act.changedOrders()),
  });
  if (subject.publish) await publishAgain(replayParts, request.mode, results);
  const changed =
    (await act.changedOrders()).length > 0 || act.rows.changed().length > 0 || results.some(isReread);
  if (changed) await act.audit(audited, { orderIds: [orderId], key });
  const response = await act.respond({ changed, decision });
  const left = results.flatMap((result) =>
    result.kind === 'left' ? [{ event_id: result.eventId, reason: result.reason }] : [],
  );
  const replayed: Replayed = {
    replayed: results.length - left.length,
    left,
    // An event is no run: from its cursor, another request would go through the whole table.
    next_cursor: after === undefined || eventId !== undefined ? null : encodeReplayCursor({ ...run, after }),
  };
  return response.ok ? { ok: true, body: { ...(response.body as object), ...replayed } } : response;
}

function refuseSeveralSubjects({ event_id, order_id, since, until, cursor }: ReplaySubject): void {
  const expected = 'one subject: an event_id, an order_id, or the time from since to until';
  const [isRange, isRun] = [since ?? until, since ?? until ?? order_id ?? cursor];
  if (event_id !== undefined && isRun !== undefined) throw new FieldError('event_id', event_id, expected);
  if (order_id !== undefined && isRange !== undefined) throw new FieldError('order_id', order_id, expected);
}

/** A run that begins, or the one that the cursor goes on with. */
function readRun({ now }: OperationsParts, { mode }: ActRequest, subject: ReplaySubject): ReplayCursor {
  const of = subject.order_id === undefined ? 'range' : 'order';
  if (subject.cursor !== undefined) return decodeReplayCursor(subject.cursor, mode, [of]);
  const { since = null, until = null } = subject;
  return { of, mode, at: now().toISOString(), since, until, after: null };
}

async function eventsOf(
  { orders, events, eventScan }: OperationsParts,
  run: ReplayCursor,
  { event_id: eventId, order_id: orderId }: ReplaySubject,
): Promise<AsyncIterable<NextEvent | Place> | undefined> {
  const { mode, after } = run;
  if (eventId !== undefined) {
    const rows = await events.find(mode, eventId);
    return rows.length === 0 ? undefined : one({ eventId, after: [] });
  }
  if (orderId !== undefined) {
    const order = await orders.get({ mode, id: orderId });
    return order && eventsOfOrder(order, after);
  }
  return scannedEvents(eventScan, run, after);
}

async function* one(event: NextEvent): AsyncGenerator<NextEvent> {
  yield event;
}

const describeMissing = (mode: Mode, { event_id: eventId, order_id: orderId }: ReplaySubject): string =>
  eventId === undefined
    ? `No ${mode} event has named the order ${JSON.stringify(orderId)}.`
    : `No ${mode} event has the id ${JSON.stringify(eventId)}.`;
