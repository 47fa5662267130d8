import {
  putEventsBytesMax,
  putEventsEntriesMax,
  putEventsPauseMilliseconds,
  putEventsRoundsMax,
} from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import type { EventBus } from '../ports/event-bus.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { entryBytes, type FeedEntry } from './order-status-changed.ts';

export interface PublishParts {
  readonly bus: EventBus<FeedEntry>;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly telemetry: Telemetry;
}

/** The entries that the bus did not accept, each with the reason. */
export type Refusals = ReadonlyMap<FeedEntry, string>;

/** Puts every entry on the bus, request by request: a refused entry never affects the others. */
export async function publish(parts: PublishParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  const refused = new Map<FeedEntry, string>();
  for (const request of requestsOf(entries)) {
    for (const [entry, reason] of await publishRequest(parts, request)) refused.set(entry, reason);
  }
  return refused;
}

/**
 * A PutEvents response of 200 may refuse single entries: only those are sent again, a bounded number of
 * times.
 */
async function publishRequest(parts: PublishParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  let refused = await put(parts.bus, entries);
  for (let round = 1; refused.size > 0 && round < putEventsRoundsMax; round += 1) {
    for (const _ of refused) parts.telemetry.count(metricNames.feedEntriesRetried);
    await parts.pause(putEventsPauseMilliseconds * 2 ** (round - 1));
    refused = await put(parts.bus, [...refused.keys()]);
  }
  return refused;
}

async function put(bus: EventBus<FeedEntry>, entries: readonly FeedEntry[]): Promise<Refusals> {
  try {
    const reasons = await bus.put(entries);
    return new Map(
      entries.flatMap((entry, index): [FeedEntry, string][] => {
        const reason = reasons[index];
        return reason === undefined ? [] : [[entry, reason]];
      }),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown';
    return new Map(entries.map((entry) => [entry, reason]));
  }
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
