import { replayEventsMax } from '../contract/operations-limits.ts';
import { eventKey, replayKey } from '../contract/schema.ts';
import { isSameReading } from '../domain/reading.ts';
import type { Mode } from '../domain/signature.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { EventRow } from '../ports/rows.ts';
import { isAdmitted, isConflict, isOwn } from '../projection/contributions.ts';
import type { Plan } from '../projection/project.ts';
import type { Intention, Repaired } from '../projection/repair.ts';
import { type About, type ActUnderWay, openAct } from './act.ts';
import { type ActRequest, FieldError, readActRequest, type Subject } from './act-request.ts';
import { changedOrders, fillResponse } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';
import { busy } from './refusals.ts';
import { decodeReplayCursor, encodeReplayCursor, type ReplayCursor } from './replay-cursor.ts';
import { eventsOfOrder, type NextEvent, type Place, runPage, scannedEvents } from './replay-run.ts';
import { endNames } from './replayed-names.ts';

const fields = ['event_id', 'order_id', 'since', 'until', 'cursor', 'limit', 'publish', 'readings'] as const;
type ReplaySubject = Subject<(typeof fields)[number]>;

/** The response of `POST /operations/replay`, next to what every act returns. */
export interface Replayed {
  /** Events that were handled again, whether that changed anything or not. */
  readonly replayed: number;
  /** Events that were left as they are, and why. */
  readonly left: readonly { readonly event_id: string; readonly reason: string }[];
  /** `null` at the end of the run. */
  readonly next_cursor: string | null;
  /** After which the run can go on; `null` when it can at once. */
  readonly retry_after_seconds: number | null;
}

/**
 * `POST /operations/replay`: reads the stored bodies of one event, of an order or of a time again, and brings
 * everything to what they say now; with the stored readings it only repairs.
 */
export async function postReplay(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, fields);
  refuseSeveralSubjects(subject);
  const run = readRun(parts, request, subject);
  const events = await eventsOf(parts, run, subject);
  if (events === undefined) return notFound(describeMissing(request.mode, subject));
  const act = openAct(parts, 'replay', { ...request, caller, at: run.at });
  const page = await runPage({
    events,
    start: run.after,
    limit: subject.limit ?? replayEventsMax,
    now: parts.now,
    handle: (event) => replayEvent(parts, act, { event, subject, run }),
    waits: ({ repaired }) => repaired.kind === 'busy',
    isFull: (results) => fillResponse(changedOrders(results.flatMap(planOf))),
  });
  const waits = page.waiting?.repaired.kind === 'busy' ? page.waiting.repaired.retryAfterSeconds : null;
  if (waits !== null && page.results.length === 0) return busy(waits);
  const next = { ...run, after: page.after ?? null };
  if (page.after === undefined) await endNames(parts, act, next);
  return respond(act, page.results, {
    // An event is no run: from its cursor, another request would go through the whole table.
    next_cursor: page.after === undefined || subject.event_id !== undefined ? null : encodeReplayCursor(next),
    retry_after_seconds: waits,
  });
}

interface ReplayedEvent {
  readonly eventId: string;
  readonly repaired: Repaired<RouteResult>;
  /** Why its body was not read again, although it is there; or that its row is missing. */
  readonly refused: string | undefined;
}

const planOf = ({ repaired }: ReplayedEvent): readonly Plan[] =>
  repaired.kind === 'done' ? [repaired.plan] : [];

interface Replaying {
  readonly event: NextEvent;
  readonly subject: ReplaySubject;
  readonly run: ReplayCursor;
}

async function replayEvent(
  parts: OperationsParts,
  act: ActUnderWay,
  { event: { eventId, shownBy = [] }, subject, run }: Replaying,
): Promise<ReplayedEvent> {
  const { mode } = act;
  const orderId = subject.order_id;
  const about: About = {
    subject: subject.event_id === undefined ? { ...(orderId && { orderId }) } : { eventId },
    partitions: [eventKey(mode, eventId), ...(subject.event_id === undefined ? [replayKey(mode)] : [])],
  };
  let refused: string | undefined;
  const repaired = await act.repair({ mode, eventId, shownBy }, about, (rows): Intention<RouteResult> => {
    if (!rows.some(isOwn)) {
      refused = shownBy.length > 0 ? 'fact_without_event' : undefined;
      return { kind: 'intend', rows: [] };
    }
    const read = subject.readings === 'stored' ? rows.map((row) => ({ row })) : rows.map(readAgain(parts));
    refused = read.map((body) => ('refused' in body ? body.refused : undefined)).find(Boolean);
    const publish = subject.publish ? { publish: run.at } : {};
    return { kind: 'intend', rows: read.map(({ row }) => row), ...publish };
  });
  return { eventId, repaired, refused };
}

/**
 * A body that counts as this version reads it. The stored reading stands for one that is gone, and for one
 * that this version would not accept.
 */
const readAgain =
  ({ classify }: OperationsParts) =>
  (row: EventRow): { readonly row: EventRow; readonly refused?: string } => {
    const { body, mode, reading } = row;
    if (body === undefined || reading === undefined || !(isOwn(row) || isConflict(row))) return { row };
    const read = classify({ body, mode });
    if (read.kind === 'unrecognised') return { row, refused: read.reason };
    if (read.kind === 'quarantined' && !isAdmitted(row)) return { row, refused: read.reason };
    return { row: isSameReading(read.reading, reading) ? row : { ...row, reading: read.reading } };
  };

function respond(
  act: ActUnderWay,
  results: readonly ReplayedEvent[],
  end: Pick<Replayed, 'next_cursor' | 'retry_after_seconds'>,
): RouteResult {
  const left = results.flatMap(({ eventId, repaired, refused }) => {
    const reason = repaired.kind === 'left' ? repaired.reason : refused;
    return reason === undefined ? [] : [{ event_id: eventId, reason }];
  });
  const more: Replayed = { replayed: results.length - left.length, left, ...end };
  const changed = results.some(({ repaired }) => repaired.kind === 'done' && repaired.isChanged);
  return act.respond({ plans: results.flatMap(planOf), changed, more });
}

function refuseSeveralSubjects({ event_id, order_id, since, until, cursor }: ReplaySubject): void {
  const expected = 'one subject: an event_id, an order_id, or the time from since to until';
  const [isRange, isRun] = [since ?? until, since ?? until ?? order_id ?? cursor];
  if (event_id !== undefined && isRun !== undefined) throw new FieldError('event_id', event_id, expected);
  if (order_id !== undefined && isRange !== undefined) throw new FieldError('order_id', order_id, expected);
}

/** A run that begins, or the one that the cursor goes on with. */
function readRun(
  { now, meaningsId: today }: OperationsParts,
  { mode, dryRun }: ActRequest,
  subject: ReplaySubject,
): ReplayCursor {
  const of = subject.order_id === undefined ? 'range' : 'order';
  const isForReal = !dryRun && subject.readings === 'current';
  if (subject.cursor !== undefined) {
    const run = decodeReplayCursor(subject.cursor, mode, [of]);
    return { ...run, meaningsId: isForReal && run.meaningsId === today ? today : null };
  }
  const { since = null, until = null } = subject;
  const isRange = of === 'range' && subject.event_id === undefined;
  const meaningsId = isForReal && isRange ? today : null;
  return { of, mode, at: now().toISOString(), since, until, meaningsId, after: null };
}

async function eventsOf(
  { orders, store, eventScan }: OperationsParts,
  run: ReplayCursor,
  { event_id: eventId, order_id: orderId }: ReplaySubject,
): Promise<AsyncIterable<NextEvent | Place> | undefined> {
  const { mode, after } = run;
  if (eventId !== undefined) {
    const found = await store.bodiesOf(mode, eventId);
    return found.kind === 'found' && found.rows.length === 0 ? undefined : only({ eventId, after: [] });
  }
  if (orderId !== undefined) {
    const order = await orders.get({ mode, id: orderId });
    return order && eventsOfOrder(order, after);
  }
  return scannedEvents(eventScan, run, after);
}

async function* only(event: NextEvent): AsyncGenerator<NextEvent> {
  yield event;
}

const describeMissing = (mode: Mode, { event_id: eventId, order_id: orderId }: ReplaySubject): string =>
  eventId === undefined
    ? `No ${mode} event has named the order ${JSON.stringify(orderId)}.`
    : `No ${mode} event has the id ${JSON.stringify(eventId)}.`;
