import { setTimeout } from 'node:timers/promises';
import {
  replayEventsMax,
  replayMillisecondsMax,
  verifyAgainMillisecondsMax,
  verifyDifferencesMax,
  verifyInFlightSeconds,
  verifyPauseMilliseconds,
} from '../contract/operations-limits.ts';
import type { Mode } from '../domain/signature.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { OrderRow } from '../ports/stores.ts';
import { openAct } from './act.ts';
import { readSubject } from './act-request.ts';
import { compareOrder, type Difference, differencesOf } from './differences.ts';
import { fillResponse } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';
import { decodeReplayCursor, encodeReplayCursor, type ReplayCursor } from './replay-cursor.ts';
import type { ReplayedEvent } from './replay-event.ts';
import { type PageRequest, replayPage } from './replay-page.ts';
import { scannedEvents } from './replay-sources.ts';

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
 * `POST /operations/verify`: whether every order equals the fold of its events. First a dry run of a replay
 * of every event, then every order the other way round. Reads only.
 */
export async function postVerify(parts: OperationsParts, { body }: RouteRequest): Promise<RouteResult> {
  const { mode, cursor, limit = replayEventsMax } = readSubject(body, ['mode', 'cursor', 'limit']);
  const run: ReplayCursor =
    cursor === undefined
      ? { of: 'verify events', mode, at: parts.now().toISOString(), since: null, until: null, after: null }
      : decodeReplayCursor(cursor, mode, ['verify events', 'verify orders']);
  const page = run.of === 'verify events' ? verifyEvents(parts, run, limit) : verifyOrders(parts, run);
  return { ok: true, body: await page };
}

async function verifyEvents(parts: OperationsParts, run: ReplayCursor, limit: number): Promise<Verified> {
  const { mode } = run;
  const first = await compare(parts, mode, { limit, events: scannedEvents(parts.eventScan, run, run.after) });
  const { differences, results, after } = await lookAgain(parts, mode, first);
  const next = after === undefined ? ({ of: 'verify orders', after: null } as const) : { after };
  const compared = { events: results.length, orders: 0 };
  return { mode, compared, differences, next_cursor: encodeReplayCursor({ ...run, ...next }) };
}

interface Compared {
  readonly results: readonly ReplayedEvent[];
  readonly differences: readonly Difference[];
  readonly after: readonly string[] | undefined;
}

/** What a replay of the events would change. */
async function compare(
  parts: OperationsParts,
  mode: Mode,
  request: Omit<PageRequest, 'mode' | 'isFull'>,
): Promise<Compared> {
  const act = openAct(parts, 'replay', { mode, dryRun: true, reason: '', caller: '' });
  const isFull = async () => fillResponse(await act.changedOrders());
  const replayParts = { ...act, eventRetentionDays: parts.eventRetentionDays };
  const { results, after } = await replayPage(replayParts, { ...request, mode, isFull });
  return { results, after, differences: differencesOf(results, await act.changedOrders(), parts.meaningOf) };
}

/** An event that was recorded a moment ago may be on its way to its order, so it is compared twice. */
async function lookAgain(parts: OperationsParts, mode: Mode, first: Compared): Promise<Compared> {
  const inFlight = new Date(parts.now().getTime() - verifyInFlightSeconds * 1000).toISOString();
  const named = new Set(first.differences.map(({ event_id: id }) => id));
  const recent = first.results.filter(
    (result) =>
      result.kind === 'replayed' && named.has(result.eventId) && result.before.recordedAt > inFlight,
  );
  if (recent.length === 0) return first;
  const { pause = setTimeout } = parts;
  await pause(verifyPauseMilliseconds);
  const again = await compare(parts, mode, {
    limit: replayEventsMax,
    events: each([...named].flatMap((eventId) => (eventId === null ? [] : [{ eventId, after: [] }]))),
    millisecondsMax: verifyAgainMillisecondsMax,
  });
  // A second look that ran out of time, or that found very many orders, has not seen every event.
  const found = again.differences.map(({ event_id: id }) => id);
  const seen = new Set([...again.results.map(({ eventId }) => eventId), ...found]);
  const unseen = first.differences.filter(({ event_id: id }) => !seen.has(id));
  return { ...first, differences: [...again.differences, ...unseen] };
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
  const compared = { events: 0, orders };
  const next = after === undefined ? null : encodeReplayCursor({ ...run, after: [after] });
  return { mode, compared, differences, next_cursor: next };
}

/**
 * An event whose row names another order may belong to this one as well, as a part of its transaction or by
 * another body. Whether its fact counts here rightly, only a replay shows. Its row was compared with all
 * events, unless it waits.
 */
async function verifyOrder(
  parts: OperationsParts,
  mode: Mode,
  row: OrderRow,
): Promise<readonly Difference[]> {
  const { differences, elsewhere } = await compareOrder(parts, row);
  if (elsewhere.length === 0) return differences;
  const heldHere = elsewhere.map((eventId) => ({ eventId, heldBy: row.order.id, after: [] }));
  const limit = elsewhere.length + 1;
  const replayed = await compare(parts, mode, { limit, events: each(heldHere) });
  const waiting = replayed.results.flatMap((result) =>
    result.kind === 'replayed' && result.before.waiting !== undefined ? [result.eventId] : [],
  );
  const isOfThis = ({ kind, order_id, event_id }: Difference): boolean =>
    order_id === row.order.id && (kind !== 'stale_row' || waiting.some((id) => id === event_id));
  return [...differences, ...replayed.differences.filter(isOfThis)];
}

async function* each<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  yield* values;
}
