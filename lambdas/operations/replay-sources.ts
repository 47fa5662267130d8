import { parseFact } from '../domain/fact.ts';
import type { EventScan, EventScanRequest } from '../ports/scans.ts';
import type { OrderRow } from '../ports/stores.ts';
import type { NextEvent } from './replay-page.ts';

/** The events of a scan, from a place on; rows of one event that follow each other count once. */
export async function* scannedEvents(
  scan: EventScan,
  request: Omit<EventScanRequest, 'after'>,
  start: readonly string[] | null,
): AsyncGenerator<NextEvent> {
  const [key, record] = start ?? [];
  let after = key === undefined || record === undefined ? undefined : { key, record };
  for (;;) {
    const { events, next } = await scan.page({ ...request, after });
    for (const [index, { eventId, position }] of events.entries()) {
      if (events[index + 1]?.eventId === eventId) continue;
      yield { eventId, after: [position.key, position.record] };
    }
    if (next === undefined) return;
    after = next;
  }
}

/** The events of an order by id, also those that no longer count. */
export async function* eventsOfOrder(
  { facts }: OrderRow,
  start: readonly string[] | null,
): AsyncGenerator<NextEvent> {
  const [last = ''] = start ?? [];
  for (const id of eventIdsOf(facts)) if (id > last) yield { eventId: id, after: [id] };
}

/** Throws UnreadableFactError. */
export function eventIdsOf(facts: readonly string[]): readonly string[] {
  const ids = facts.flatMap((text) => {
    const fact = parseFact(text);
    return fact.kind === 'event' ? [fact.eventId] : [];
  });
  return [...new Set(ids)].sort();
}
