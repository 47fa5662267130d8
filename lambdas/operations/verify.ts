import { setTimeout as sleep } from 'node:timers/promises';
import type * as api from '@payhooks/order-client';
import {
  verifyAgainMillisecondsMax,
  verifyDifferencesMax,
  verifyInFlightSeconds,
  verifyPauseMilliseconds,
} from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { eventFact, eventIdOf, parseFact } from '../domain/fact.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { cursorText } from '../http-api/parameters.ts';
import type { EventRow } from '../ports/rows.ts';
import { type Plan, without } from '../projection/project.ts';
import { repair } from '../projection/repair.ts';
import { changesOfOrders, viewOfOrder } from '../records/changes.ts';
import type { OperationsParts } from './act.ts';
import { fields, readRequest } from './fields.ts';
import { createPlannedStore } from './planned-store.ts';
import { type NextEvent, type Place, type Run, readRun, scannedEvents, segmentOf } from './run.ts';
import { type Handled, type Handling, runPage } from './run-page.ts';

/**
 * `POST /operations/verify`: whether everything that is derived is what the stored readings and judgements
 * make of it: the dry run of a replay with the stored readings. First every event, then every order the other
 * way round. Reads only.
 */
export async function postVerify(parts: OperationsParts, { body }: RouteRequest): Promise<api.VerifyResult> {
  const {
    mode,
    cursor,
    limit,
    segment = null,
  } = readRequest(body, {
    ...{ mode: fields.mode, cursor: fields.cursor, limit: fields.limit, segment: fields.segment },
  });
  const at = parts.now().toISOString();
  const run: Run =
    cursor === undefined
      ? { of: 'verify events', mode, at, since: null, until: null, meaningsId: null, segment, after: null }
      : readRun(cursor, mode, ['verify events', 'verify orders']);
  const compared = { events: 0, orders: 0 };
  const isOfEvents = run.of === 'verify events';
  const page = await runPage(parts, planning(parts, run), {
    run,
    events: isOfEvents ? scannedEvents(parts.eventScan, run, true) : unexplainedEvents(parts, run, compared),
    limit,
    isFull: (handled) => differencesOf(handled).length >= verifyDifferencesMax,
  });
  if (isOfEvents) compared.events = page.handled.length;
  const next = page.isComplete ? ({ of: 'verify orders', after: null } as const) : { after: page.after };
  return {
    mode,
    compared,
    differences: withOrders(await lookAgain(parts, run, page.handled)),
    next_cursor: page.isComplete && !isOfEvents ? null : cursorText({ ...run, ...next }),
  };
}

/** What a rebuild would change: each event after those before it. */
function planning(parts: OperationsParts, { mode }: Run): Handling {
  const store = createPlannedStore(parts.store);
  return {
    readings: 'stored',
    repair: (event, decide) => repair({ ...parts, store }, { mode, ...event }, decide, { isDryRun: true }),
  };
}

/** The events of a page that were delivered a moment ago get a second look, after one pause for all. */
async function lookAgain(parts: OperationsParts, run: Run, handled: readonly Handled[]) {
  const since = new Date(parts.now().getTime() - verifyInFlightSeconds * 1000).toISOString();
  const isYoung = ({ events }: Plan): boolean => events.some(({ after }) => after.recordedAt > since);
  const events = handled.filter(
    ({ repaired }) => repaired.kind === 'done' && repaired.isChanged && isYoung(repaired.plan),
  );
  if (events.length === 0) return handled;
  await (parts.pause ?? sleep)(verifyPauseMilliseconds);
  // Some at a time, like the first look: a repair gives up that too many others have come before.
  const bounds = { limit: events.length, millisecondsMax: verifyAgainMillisecondsMax, isFull: () => false };
  const { handled: again } = await runPage(parts, planning(parts, run), { run, events, ...bounds });
  const atPlace = new Map(again.map((event) => [event.after, event]));
  return handled.map((event) => atPlace.get(event.after) ?? event);
}

/**
 * The orders the other way round: the events of which an order has a fact, and whose rows do not say that
 * they belong there. A place is the key of the order before, and the event.
 */
async function* unexplainedEvents(
  { store, orderScan }: OperationsParts,
  run: Run,
  compared: { orders: number },
): AsyncGenerator<NextEvent | Place> {
  const { mode, after: start } = run;
  const [key = '', first = ''] = start ?? [];
  let [before, last]: [string | undefined, string] = [key || undefined, first];
  do {
    const page: Awaited<ReturnType<typeof orderScan.page>> = await orderScan.page({
      mode,
      segment: segmentOf(run),
      after: before,
    });
    const rows = await store.eventRows(mode, [
      ...new Set(page.orders.flatMap((row) => row.facts).flatMap((fact) => eventIdOf(fact) ?? [])),
    ]);
    for (const { order, facts } of page.orders) {
      const ofEvents = facts
        .flatMap((text) => [{ text, id: eventIdOf(text) ?? '' }])
        .filter(({ id }) => id > last);
      const unexplained = ofEvents.filter(({ text, id }) => !belongsTo(order.id, rows.get(id), text));
      for (const eventId of [...new Set(unexplained.map(({ id }) => id))].sort())
        yield { eventId, shownBy: [order.id], after: [before ?? '', eventId] };
      compared.orders += 1;
      [before, last] = [orderKey(mode, order.id), ''];
      yield { after: [before, ''] };
    }
    before = page.next;
  } while (before !== undefined);
}

function belongsTo(orderId: string, row: EventRow | undefined, text: string): boolean {
  if (row?.reading === undefined || eventFact(row.eventId ?? '', row.reading) !== text) return false;
  return row.reading.orderId === orderId || row.assignedOrderIds.includes(orderId);
}

type Found = Pick<api.Difference, 'kind' | 'order_id' | 'event_id'>;

/** Each once. From an order only what concerns it: the page of the event has the rest. */
function differencesOf(handled: readonly Handled[]): readonly Found[] {
  const found = handled.flatMap((event) => {
    const { shownBy } = event;
    const all = differencesOfEvent(event);
    return shownBy === undefined ? all : all.filter(({ order_id }) => shownBy.includes(order_id ?? ''));
  });
  return [...new Map(found.map((difference) => [JSON.stringify(difference), difference])).values()];
}

function differencesOfEvent({ eventId, shownBy, repaired, left }: Handled): readonly Found[] {
  if (repaired.kind === 'busy') return [];
  if (repaired.kind === 'left' || left === 'fact_without_event') {
    const kind = left as Found['kind'];
    return (shownBy ?? [null]).map((order_id) => ({ kind, order_id, event_id: eventId }));
  }
  const { events, transactions, orders } = repaired.plan;
  const inOrders = orders.flatMap(({ before, after }) => {
    const gone = new Set(without(before?.facts, after.facts));
    const texts = [...without(after.facts, before?.facts ?? []), ...gone];
    return texts.map(
      (text): Found => ({
        kind: `${gone.has(text) ? 'stale' : 'missing'}_${parseFact(text).kind === 'event' ? 'fact' : 'mark'}`,
        order_id: after.order.id,
        event_id: eventIdOf(text) ?? eventId,
      }),
    );
  });
  const stale = events.filter(({ before, after }) => before !== after).map(({ after }) => after);
  const ofTransaction = transactions.some(({ before, after }) => before !== after) ? [eventId] : [];
  const inRows = [...new Set([...stale.map((row) => row.eventId ?? eventId), ...ofTransaction])];
  return [
    ...inOrders,
    ...inRows.map((event_id): Found => {
      const row = stale.find((changed) => changed.eventId === event_id);
      const order_id = row?.reading?.orderId ?? row?.assignedOrderIds[0] ?? null;
      return { kind: 'stale_row', order_id, event_id };
    }),
  ];
}

/** With the order as it is and as it should be, once in a response. */
function withOrders(handled: readonly Handled[]): api.Difference[] {
  const plans = handled.flatMap(({ repaired }) => (repaired.kind === 'done' ? [repaired.plan] : []));
  const changes = new Map(changesOfOrders(plans).map((change) => [change.after.order.id, change]));
  return differencesOf(handled).map((difference) => {
    const change = changes.get(difference.order_id ?? '');
    changes.delete(difference.order_id ?? '');
    const { before, after } = change === undefined ? { before: null, after: null } : viewOfOrder(change);
    return { ...difference, before, after };
  });
}
