import type { EventScan } from '../ports/scans.ts';
import type { OrderRow } from '../ports/stores.ts';
import { eventIdsOf } from './events-of-order.ts';
import type { ReplayCursor } from './replay-cursor.ts';
import type { NextEvent, Place } from './replay-page.ts';

/**
 * The events of a scan, from a place on; rows of one event follow each other, and count once. After every
 * page comes the place that the scan has reached: a large table has many pages without an event of the run.
 */
export async function* scannedEvents(
  scan: EventScan,
  { mode, since, until }: Pick<ReplayCursor, 'mode' | 'since' | 'until'>,
  start: readonly string[] | null,
): AsyncGenerator<NextEvent | Place> {
  const [key, record] = start ?? [];
  let after = key === undefined || record === undefined ? undefined : { key, record };
  let last: string | undefined;
  for (;;) {
    const { events, next } = await scan.page({
      mode,
      since: since ?? undefined,
      until: until ?? undefined,
      after,
    });
    for (const [index, { eventId, position }] of events.entries()) {
      if (events[index + 1]?.eventId === eventId) continue;
      const place = { after: [position.key, position.record] };
      // The replay itself may have stored another row of an event with which the page before ended.
      yield eventId === last ? place : { eventId, ...place };
      last = eventId;
    }
    if (next === undefined) return;
    yield { after: [next.key, next.record] };
    after = next;
  }
}

/** The events of an order by id, also those that no longer count. */
export async function* eventsOfOrder(
  { order, facts }: OrderRow,
  start: readonly string[] | null,
): AsyncGenerator<NextEvent> {
  const [last = ''] = start ?? [];
  for (const id of eventIdsOf(facts, [])) if (id > last) yield { eventId: id, heldBy: order.id, after: [id] };
}
