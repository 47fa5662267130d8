import { setTimeout as sleep } from 'node:timers/promises';
import {
  replayEventsMax,
  replayMillisecondsMax,
  verifyDifferencesMax,
  verifyInFlightSeconds,
  verifyPauseMilliseconds,
} from '../contract/operations-limits.ts';
import { eventFact, parseFact } from '../domain/fact.ts';
import type { Mode } from '../domain/signature.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import { isOwn } from '../projection/contributions.ts';
import { repair, type Subject } from '../projection/repair.ts';
import { readSubject } from './act-request.ts';
import { type Difference, differencesIn, distinct, leftDifference } from './differences.ts';
import type { OperationsParts } from './parts.ts';
import { createPlannedStore } from './planned-store.ts';
import { decodeReplayCursor, encodeReplayCursor, type ReplayCursor } from './replay-cursor.ts';
import { runPage, scannedEvents } from './replay-run.ts';

/** The response of `POST /operations/verify`. */
export interface Verified {
  readonly mode: Mode;
  /** How many of each this page has compared. */
  readonly compared: { readonly events: number; readonly orders: number };
  readonly differences: readonly Difference[];
  /** `null` at the end: then every event and every order has been compared. */
  readonly next_cursor: string | null;
}

/**
 * `POST /operations/verify`: whether everything that is derived is what the stored readings and judgements
 * make of it. First the plan of every event, then every order the other way round. Reads only.
 */
export async function postVerify(parts: OperationsParts, { body }: RouteRequest): Promise<RouteResult> {
  const { mode, cursor, limit = replayEventsMax } = readSubject(body, ['mode', 'cursor', 'limit']);
  const at = parts.now().toISOString();
  const run: ReplayCursor =
    cursor === undefined
      ? { of: 'verify events', mode, at, since: null, until: null, meaningsId: null, after: null }
      : decodeReplayCursor(cursor, mode, ['verify events', 'verify orders']);
  const page = run.of === 'verify events' ? verifyEvents(parts, run, limit) : verifyOrders(parts, run);
  return { ok: true, body: await page };
}

async function verifyEvents(parts: OperationsParts, run: ReplayCursor, limit: number): Promise<Verified> {
  const { mode } = run;
  const { results, after } = await runPage({
    events: scannedEvents(parts.eventScan, run, run.after),
    start: run.after,
    limit,
    now: parts.now,
    handle: ({ eventId }) => planOf(parts, { mode, eventId }),
    isFull: (found) => differencesOf(found).length >= verifyDifferencesMax,
  });
  const next = after === undefined ? ({ of: 'verify orders', after: null } as const) : { after };
  return {
    mode,
    compared: { events: results.length, orders: 0 },
    differences: await lookAgain(parts, results),
    next_cursor: encodeReplayCursor({ ...run, ...next }),
  };
}

/** What a rebuild of an event would change. */
interface Compared {
  readonly subject: Subject;
  readonly differences: readonly Difference[];
  readonly recordedAt: string | undefined;
}

const differencesOf = (compared: readonly Compared[]): readonly Difference[] =>
  compared.flatMap(({ differences }) => differences);

/** The events of a page that were delivered a moment ago get a second look, after one pause for all. */
async function lookAgain(
  parts: OperationsParts,
  compared: readonly Compared[],
): Promise<readonly Difference[]> {
  const since = new Date(parts.now().getTime() - verifyInFlightSeconds * 1000).toISOString();
  const isInFlight = ({ differences, recordedAt = '' }: Compared): boolean =>
    differences.length > 0 && recordedAt > since;
  if (compared.some(isInFlight)) await (parts.pause ?? sleep)(verifyPauseMilliseconds);
  const final = compared.map((first) => (isInFlight(first) ? planOf(parts, first.subject) : first));
  return distinct(differencesOf(await Promise.all(final)));
}

async function planOf(parts: OperationsParts, subject: Subject): Promise<Compared> {
  const { eventId, shownBy = [] } = subject;
  const store = createPlannedStore(parts.store);
  let own: EventRow | undefined;
  const result = await repair<'missing'>(
    { ...parts, store },
    subject,
    (rows) => {
      own = rows.find(isOwn);
      // Bodies that wait in quarantine have no row of their event, and nothing follows from them.
      return own === undefined ? { kind: 'stop', stop: 'missing' } : { kind: 'intend', rows };
    },
    { isDryRun: true },
  );
  const recordedAt = own?.recordedAt;
  /** From an order only what concerns it: the page of the event has the rest. */
  const found = (all: readonly Difference[]): Compared => {
    const isMeant = ({ order_id }: Difference) => shownBy.length === 0 || shownBy.includes(order_id ?? '');
    return { subject, differences: all.filter(isMeant), recordedAt };
  };
  if (result.kind === 'done') return found(differencesIn(eventId, result.plan));
  if (result.kind === 'left') return found([leftDifference(eventId, result.reason)]);
  if (result.kind === 'busy') return found([leftDifference(eventId, 'stale_row')]);
  return found(shownBy.map((orderId) => leftDifference(eventId, 'fact_without_event', orderId)));
}

async function verifyOrders(parts: OperationsParts, run: ReplayCursor): Promise<Verified> {
  const { mode } = run;
  const ends = parts.now().getTime() + replayMillisecondsMax;
  const compared: Compared[] = [];
  let orders = 0;
  let after = run.after?.[0];
  do {
    const page = await parts.orderScan.page({ mode, after });
    for (const order of page.orders) compared.push(...(await verifyOrder(parts, mode, order)));
    orders += page.orders.length;
    after = page.next;
  } while (
    after !== undefined &&
    parts.now().getTime() < ends &&
    differencesOf(compared).length < verifyDifferencesMax
  );
  const next = after === undefined ? null : encodeReplayCursor({ ...run, after: [after] });
  const differences = await lookAgain(parts, compared);
  return { mode, compared: { events: 0, orders }, differences, next_cursor: next };
}

/**
 * The order the other way round: an event whose row does not say that it belongs here is planned from here.
 */
async function verifyOrder(
  parts: OperationsParts,
  mode: Mode,
  { order, facts }: OrderRow,
): Promise<readonly Compared[]> {
  const parsed = facts.map((text) => ({ text, fact: parseFact(text) }));
  const ofEvents = parsed.flatMap(({ text, fact }) =>
    'eventId' in fact ? [{ text, id: fact.eventId }] : [],
  );
  const rows = await parts.store.eventRows(mode, [...new Set(ofEvents.map(({ id }) => id))]);
  const unexplained = ofEvents.filter(({ text, id }) => !belongsHere(rows.get(id), text, order.id));
  const found: Compared[] = [];
  for (const eventId of new Set(unexplained.map(({ id }) => id)))
    found.push(await planOf(parts, { mode, eventId, shownBy: [order.id] }));
  return found;
}

function belongsHere(row: EventRow | undefined, text: string, orderId: string): boolean {
  if (row?.reading === undefined || eventFact(row.eventId ?? '', row.reading) !== text) return false;
  return row.reading.orderId === orderId || row.assignedOrderIds.includes(orderId);
}
