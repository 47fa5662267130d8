import { replayEventsMax } from '../contract/operations-limits.ts';
import { eventKey, orderKey, replayKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Decision } from '../ports/decisions.ts';
import { type ActRequest, FieldError, readActRequest, type Subject } from './act-request.ts';
import { createDryRunStores } from './dry-run-stores.ts';
import { type OrderChange, observeOrders, orderChange } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';
import { publishAgain } from './publish-again.ts';
import { decodeReplayCursor, encodeReplayCursor, type ReplayCursor } from './replay-cursor.ts';
import type { ReplayedEvent } from './replay-event.ts';
import { type NextEvent, replayPage } from './replay-page.ts';
import { eventsOfOrder, scannedEvents } from './replay-sources.ts';
import { type ReplayedRow, replayedRows } from './replayed-rows.ts';

const fields = ['event_id', 'order_id', 'since', 'until', 'cursor', 'limit', 'publish'] as const;
type ReplaySubject = Subject<(typeof fields)[number]>;

/** The response of `POST /operations/replay`. */
export interface ReplayResponse extends Decision {
  readonly act: 'replay';
  readonly mode: Mode;
  readonly dry_run: boolean;
  readonly changed: boolean;
  readonly events: readonly ReplayedRow[];
  readonly orders: readonly OrderChange[];
  /** Events that were handled, whether anything changed or not. */
  readonly replayed: number;
  /** Events that were left as they are, and why. */
  readonly left: readonly { readonly event_id: string; readonly reason: string }[];
  /** `null` at the end of the run. */
  readonly next_cursor: string | null;
}

/** Handles events again from their stored bodies: one event, those of an order, or those of a time. */
export async function postReplay(parts: OperationsParts, request: RouteRequest): Promise<RouteResult> {
  const { subject, ...act } = readActRequest(request.body, fields);
  refuseSeveralSubjects(subject);
  const run = readRun(parts, act, subject);
  const events = await eventsOf(parts, run, subject);
  if (events === undefined) return notFound(describeMissing(act.mode, subject));
  const decision: Decision = { by: request.caller, at: run.at, reason: act.reason };
  const stores = act.dryRun ? createDryRunStores(parts) : parts;
  const { orders, changed } = observeOrders(stores.orders);
  const replayParts = { ...parts, ...stores, orders };
  const page = await replayPage(replayParts, {
    mode: act.mode,
    events,
    limit: subject.limit ?? replayEventsMax,
    changed: async () => (await changed()).length,
  });
  if (subject.publish) await publishAgain(replayParts, act.mode, page.results);
  const changes = (await changed()).map((order) => orderChange(order, parts.meaningOf));
  const rows = replayedRows(page.results);
  const hasChanged = changes.length > 0 || rows.length > 0;
  if (!act.dryRun && hasChanged) await audit(parts, { ...run, decision, changes, rows, subject });
  const body: ReplayResponse = {
    act: 'replay',
    mode: act.mode,
    dry_run: act.dryRun,
    changed: hasChanged,
    ...decision,
    events: rows,
    orders: changes,
    ...countsOf(page.results),
    next_cursor: page.after === undefined ? null : encodeReplayCursor({ ...run, after: page.after }),
  };
  return { ok: true, body };
}

function refuseSeveralSubjects({ event_id, order_id, since, until, cursor }: ReplaySubject): void {
  const expected = 'alone, or an order_id, or a time from since to until';
  if (event_id !== undefined && [order_id, since, until, cursor].some((given) => given !== undefined)) {
    throw new FieldError('event_id', event_id, expected);
  }
  if (order_id !== undefined && [since, until].some((given) => given !== undefined)) {
    throw new FieldError('order_id', order_id, 'without a time from since to until');
  }
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
  { mode, since, until, after }: ReplayCursor,
  { event_id: eventId, order_id: orderId }: ReplaySubject,
): Promise<AsyncIterable<NextEvent> | undefined> {
  if (eventId !== undefined) {
    const rows = await events.find(mode, eventId);
    return rows.length === 0 ? undefined : one({ eventId, after: [] });
  }
  if (orderId !== undefined) {
    const order = await orders.get({ mode, id: orderId });
    return order && eventsOfOrder(order, after);
  }
  return scannedEvents(eventScan, { mode, since: since ?? undefined, until: until ?? undefined }, after);
}

async function* one(event: NextEvent): AsyncGenerator<NextEvent> {
  yield event;
}

const describeMissing = (mode: Mode, { event_id: eventId, order_id: orderId }: ReplaySubject): string =>
  eventId === undefined
    ? `No ${mode} event has named the order ${JSON.stringify(orderId)}.`
    : `No ${mode} event has the id ${JSON.stringify(eventId)}.`;

function countsOf(results: readonly ReplayedEvent[]): Pick<ReplayResponse, 'replayed' | 'left'> {
  const left = results.flatMap((result) =>
    result.kind === 'left' ? [{ event_id: result.eventId, reason: result.reason }] : [],
  );
  return { replayed: results.length - left.length, left };
}

interface Audited extends ReplayCursor {
  readonly decision: Decision;
  readonly changes: readonly OrderChange[];
  readonly rows: readonly ReplayedRow[];
  readonly subject: ReplaySubject;
}

/** One row for the run, and one in the history of each event or order; each page of a run adds the same. */
async function audit(
  { acts }: OperationsParts,
  { mode, decision, changes, rows, subject: { event_id: eventId, order_id: orderId } }: Audited,
): Promise<void> {
  const named = { ...(eventId && { eventId }), ...(orderId && { orderId }) };
  await acts.putAct({ act: 'replay', ...decision, ...named }, [
    ...(eventId === undefined && orderId === undefined ? [replayKey(mode)] : []),
    ...(orderId === undefined ? [] : [orderKey(mode, orderId)]),
    ...rows.map((row) => eventKey(mode, row.event_id)),
    ...(eventId === undefined ? [] : [eventKey(mode, eventId)]),
    ...changes.map((change) => orderKey(mode, change.order_id)),
  ]);
}
