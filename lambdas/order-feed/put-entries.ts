import {
  putEventsBytesMax,
  putEventsEntriesMax,
  putEventsPauseMilliseconds,
  putEventsRoundsMax,
} from '../contract/limits.ts';
import type { EventBus } from '../ports/event-bus.ts';
import { entryBytes, type FeedEntry } from './order-status-changed.ts';

export interface PutParts {
  readonly bus: EventBus<FeedEntry>;
  readonly pause: (milliseconds: number) => Promise<void>;
}

/** The entries that the bus did not accept, each with the reason. */
export type Refusals = ReadonlyMap<FeedEntry, string>;

/**
 * Puts every entry on the bus. A PutEvents response of 200 may refuse single entries: only those are sent
 * again, a bounded number of times.
 */
export async function putEntries({ bus, pause }: PutParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  let refused = await putAll(bus, entries);
  for (let round = 1; refused.size > 0 && round < putEventsRoundsMax; round += 1) {
    await pause(putEventsPauseMilliseconds * 2 ** (round - 1));
    refused = await putAll(bus, [...refused.keys()]);
  }
  return refused;
}

/** Request by request: a refused entry never affects the others. */
async function putAll(bus: EventBus<FeedEntry>, entries: readonly FeedEntry[]): Promise<Refusals> {
  const refused = new Map<FeedEntry, string>();
  for (const request of requestsOf(entries)) {
    const reasons = await bus.put(request).catch((error: unknown) => {
      const reason = error instanceof Error ? error.name : 'unknown';
      return request.map(() => reason);
    });
    for (const [index, entry] of request.entries()) {
      const reason = reasons[index];
      if (reason !== undefined) refused.set(entry, reason);
    }
  }
  return refused;
}

/** Splits entries so that no PutEvents request has too many entries or bytes. */
function requestsOf(entries: readonly FeedEntry[]): FeedEntry[][] {
  const requests: FeedEntry[][] = [];
  let bytes = 0;
  for (const entry of entries) {
    const last = requests.at(-1);
    bytes += entryBytes(entry);
    if (last !== undefined && last.length < putEventsEntriesMax && bytes <= putEventsBytesMax) {
      last.push(entry);
    } else {
      requests.push([entry]);
      bytes = entryBytes(entry);
    }
  }
  return requests;
}
