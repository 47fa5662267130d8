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
    handle: ({ eventId }) => compareEvent(parts, { mode, eventId }),
    isFull: (found) => found.flat().length >= verifyDifferencesMax,
  });
  const next = after === undefined ? ({ of: 'verify orders', after: null } as const) : { after };
  return {
    mode,
    compared: { events: results.length, orders: 0 },
    differences: distinct(results.flat()),
    next_cursor: encodeReplayCursor({ ...run, ...next }),
  };
}

/** What a rebuild of the event would change. One that was delivered a moment ago gets a second look. */
async function compareEvent(parts: OperationsParts, subject: Subject): Promise<readonly Difference[]> {
  const first = await planOf(parts, subject);
  if (!isInFlight(parts, first)) return first.differences;
  await (parts.pause ?? sleep)(verifyPauseMilliseconds);
  return (await planOf(parts, subject)).differences;
}

interface Compared {
  readonly differences: readonly Difference[];
  readonly recordedAt: string | undefined;
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
  if (result.kind === 'done') return { differences: differencesIn(eventId, result.plan), recordedAt };
  if (result.kind === 'left') return { differences: [leftDifference(eventId, result.reason)], recordedAt };
  if (result.kind === 'busy') return { differences: [leftDifference(eventId, 'stale_row')], recordedAt };
  const missing = shownBy.map((orderId) => leftDifference(eventId, 'fact_without_event', orderId));
  return { differences: missing, recordedAt };
}

function isInFlight({ now }: OperationsParts, { differences, recordedAt }: Compared): boolean {
  const since = new Date(now().getTime() - verifyInFlightSeconds * 1000).toISOString();
  return differences.length > 0 && recordedAt !== undefined && recordedAt > since;
}

async function verifyOrders(parts: OperationsParts, run: ReplayCursor): Promise<Verified> {
  const { mode } = run;
  const ends = parts.now().getTime() + replayMillisecondsMax;
  const differences: Difference[] = [];
  let orders = 0;
  let after = run.after?.[0];
  do {
    const page = await parts.orderScan.page({ mode, after });
    for (const order of page.orders) differences.push(...(await verifyOrder(parts, mode, order)));
    orders += page.orders.length;
    after = page.next;
  } while (after !== undefined && parts.now().getTime() < ends && differences.length < verifyDifferencesMax);
  const next = after === undefined ? null : encodeReplayCursor({ ...run, after: [after] });
  return { mode, compared: { events: 0, orders }, differences: distinct(differences), next_cursor: next };
}

/**
 * The order the other way round: an event whose row does not say that it belongs here is planned from here.
 */
async function verifyOrder(
  parts: OperationsParts,
  mode: Mode,
  { order, facts }: OrderRow,
): Promise<readonly Difference[]> {
  const parsed = facts.map((text) => ({ text, fact: parseFact(text) }));
  const ofEvents = parsed.flatMap(({ text, fact }) =>
    'eventId' in fact ? [{ text, id: fact.eventId }] : [],
  );
  const rows = await parts.store.eventRows(mode, [...new Set(ofEvents.map(({ id }) => id))]);
  const unexplained = ofEvents.filter(({ text, id }) => !belongsHere(rows.get(id), text, order.id));
  const found = [];
  for (const eventId of new Set(unexplained.map(({ id }) => id)))
    found.push(...(await compareEvent(parts, { mode, eventId, shownBy: [order.id] })));
  return found.filter(({ order_id }) => order_id === order.id);
}

function belongsHere(row: EventRow | undefined, text: string, orderId: string): boolean {
  if (row?.reading === undefined || eventFact(row.eventId ?? '', row.reading) !== text) return false;
  return row.reading.orderId === orderId || row.assignedOrderIds.includes(orderId);
}
