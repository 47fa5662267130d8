import type * as api from '@payhooks/order-client';
import { replayOrdersBytesMax, replayOrdersMax } from '../contract/operations-limits.ts';
import { eventKey, eventNameKey, replayKey } from '../contract/schema.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { cursorText, wrongField } from '../http-api/parameters.ts';
import { busy, notFound } from '../http-api/problem.ts';
import type { Plan } from '../projection/project.ts';
import { changesOfOrders } from '../records/changes.ts';
import { type ActInProgress, type OperationsParts, openAct } from './act.ts';
import { fields, readActRequest, wrongCursor } from './fields.ts';
import { eventsOfOrder, type Run, readRun, scannedEvents } from './run.ts';
import { type Handled, type Handling, runPage } from './run-page.ts';

const { event_id, order_id, since, until, cursor, limit, publish, readings, segment } = fields;
const own = { event_id, order_id, since, until, cursor, limit, publish, readings, segment };
const readReplay = (body: string | undefined) => readActRequest(body, own);
type ReplayRequest = ReturnType<typeof readReplay>;

/**
 * `POST /operations/replay`: reads the stored bodies of one event, of an order or of a time again, and brings
 * everything to what they say now; with the stored readings it only repairs.
 */
export async function postReplay(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<api.ReplayResult> {
  const request = readReplay(body);
  const { mode, event_id: eventId, order_id: orderId } = request;
  const run = beginRun(parts, request);
  const act = openAct(parts, 'replay', { ...request, caller, at: run.at });
  const subject = { ...(eventId && { eventId }), ...(orderId && { orderId }) };
  const ofRun = eventId === undefined ? [replayKey(mode)] : [];
  const handling: Handling = {
    readings: request.readings,
    ...(request.publish && { publish: run.at }),
    repair(event, decide) {
      const about = { subject, partitions: [eventKey(mode, event.eventId), ...ofRun] };
      return act.repair({ mode, ...event }, about, decide);
    },
  };
  const events = await eventsOf(parts, run, request);
  const page = await runPage(parts, handling, { run, events, limit: request.limit, isFull: fillsResponse });
  const { handled, isComplete, retryAfterSeconds, after } = page;
  if (retryAfterSeconds !== null && handled.length === 0) throw busy(retryAfterSeconds);
  if (isComplete) await endNames(parts, act, run);
  const left = handled.flatMap(({ eventId: event_id, left: reason }) =>
    reason ? [{ event_id, reason }] : [],
  );
  const isChanged = handled.some(({ repaired }) => repaired.kind === 'done' && repaired.isChanged);
  const more = {
    replayed: handled.length - left.length,
    left,
    // An event is no run: from its cursor, another request would go through the whole table.
    next_cursor: isComplete || eventId !== undefined ? null : cursorText({ ...run, after }),
    retry_after_seconds: retryAfterSeconds,
  };
  return act.respond(plansOf(handled), { isChanged }, more);
}

const plansOf = (handled: readonly Handled[]): readonly Plan[] =>
  handled.flatMap(({ repaired }) => (repaired.kind === 'done' ? [repaired.plan] : []));

/** Whether one response lists no more orders than these; a transaction is about as long as its fact. */
function fillsResponse(handled: readonly Handled[]): boolean {
  const orders = changesOfOrders(plansOf(handled));
  const facts = orders.flatMap(({ before, after }) => [...(before?.facts ?? []), ...after.facts]);
  const bytes = facts.reduce((sum, fact) => sum + fact.length, 0);
  return orders.length >= replayOrdersMax || bytes >= replayOrdersBytesMax;
}

/**
 * A name that had no meaning waits until it has one and its events were replayed with it: at the end of a run
 * over everything since its first event, with the same meanings from the first page to the last.
 */
async function endNames(parts: OperationsParts, act: ActInProgress, run: Run): Promise<void> {
  if (act.isDryRun || run.of !== 'range' || run.until !== null || run.meaningsId !== parts.meaningsId) return;
  for (const { eventName } of await parts.waiting.eventNames(act.mode)) {
    const row = await parts.events.getEventName(act.mode, eventName);
    if (row?.waiting === undefined || parts.meaningOf(eventName) === undefined) continue;
    if (row.recordedAt > run.at || (run.since !== null && run.since > row.recordedAt)) continue;
    const { waiting: _, ...after } = row;
    const about = { subject: { eventName }, partitions: [eventNameKey(act.mode, eventName)] };
    // Otherwise an operator has judged it meanwhile.
    await act.commit(about, { names: [{ before: row, after }] });
  }
}

/** A run that begins, or the one that the cursor goes on with. Throws ProblemError for several subjects. */
function beginRun({ now, meaningsId: today, approved }: OperationsParts, request: ReplayRequest): Run {
  const { mode, dry_run, readings, cursor, event_id, order_id } = request;
  const { since = null, until = null, segment = null } = request;
  const expected = 'one subject: an event_id, an order_id, or the time from since to until';
  if (event_id !== undefined && (since ?? until ?? order_id ?? cursor ?? null) !== null)
    throw wrongField('event_id', event_id, expected);
  if (order_id !== undefined && (since ?? until) !== null) throw wrongField('order_id', order_id, expected);
  if (segment !== null && (event_id ?? order_id) !== undefined)
    throw wrongField('segment', segment, 'no part of the tables for one event or order');
  const of = order_id === undefined ? 'range' : 'order';
  const at = now().toISOString();
  const begun: Run = { of, mode, at, since, until, meaningsId: today, segment, after: null };
  const run = cursor === undefined ? begun : readRun(cursor, mode, [of]);
  // What was approved is the time of the request, not that of a cursor.
  if (approved !== undefined && (run.since !== since || run.until !== until)) throw wrongCursor(cursor ?? '');
  const order = run.after?.[0] ?? order_id;
  if (cursor !== undefined && of === 'order' && order !== order_id) throw wrongCursor(cursor);
  const isForReal = !dry_run && readings === 'current' && of === 'range' && event_id === undefined;
  // The names of events end with a run through all of the tables.
  const isWhole = isForReal && run.segment === null;
  return { ...run, meaningsId: isWhole && run.meaningsId === today ? today : null };
}

async function eventsOf(
  { orders, store, eventScan }: OperationsParts,
  run: Run,
  { event_id: eventId, order_id: orderId, readings }: ReplayRequest,
) {
  const { mode } = run;
  if (eventId !== undefined) {
    const found = await store.bodiesOf(eventKey(mode, eventId));
    if (found.kind === 'found' && found.rows.length === 0)
      throw notFound(`No ${mode} event has the id ${JSON.stringify(eventId)}.`);
    return [{ eventId, after: ['', ''] as const satisfies Run['after'] }];
  }
  if (orderId === undefined)
    return scannedEvents(eventScan, run, readings === 'stored' && run.since === null && run.until === null);
  const order = await orders.get({ mode, id: orderId });
  if (order === undefined) throw notFound(`No ${mode} event has named the order ${JSON.stringify(orderId)}.`);
  return eventsOfOrder(order, run);
}
