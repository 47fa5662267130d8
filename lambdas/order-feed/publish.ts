import {
  putEventsBytesMax,
  putEventsEntriesMax,
  putEventsPauseMilliseconds,
  putEventsRoundsMax,
} from '../contract/limits.ts';
import { metricNames } from '../contract/metrics.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { entryBytes, type FeedEntry } from './order-status-changed.ts';

export interface EventBus {
  /**
   * Puts entries on the bus. Answers for each one, in their order, why it was refused, and `undefined` when
   * it was taken. A throw leaves open what became of them.
   */
  put(entries: readonly FeedEntry[]): Promise<readonly (string | undefined)[]>;
}

export interface PublishParts {
  readonly bus: EventBus;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly telemetry: Telemetry;
}

/** The entries that did not get onto the bus, with the reason. */
export type Refusals = ReadonlyMap<FeedEntry, string>;

/** Puts every entry on the bus, request by request: one that is refused costs the others nothing. */
export async function publish(parts: PublishParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  const refused = new Map<FeedEntry, string>();
  for (const request of requestsOf(entries)) {
    for (const [entry, reason] of await publishRequest(parts, request)) refused.set(entry, reason);
  }
  return refused;
}

/** A 200 of PutEvents may refuse any of its entries: only those are sent again, a bounded number of times. */
async function publishRequest(parts: PublishParts, entries: readonly FeedEntry[]): Promise<Refusals> {
  let refused = await put(parts.bus, entries);
  for (let round = 1; refused.size > 0 && round < putEventsRoundsMax; round += 1) {
    for (const _ of refused) parts.telemetry.count(metricNames.feedEntriesRetried);
    await parts.pause(putEventsPauseMilliseconds * 2 ** (round - 1));
    refused = await put(parts.bus, [...refused.keys()]);
  }
  return refused;
}

async function put(bus: EventBus, entries: readonly FeedEntry[]): Promise<Refusals> {
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

/** Cut where a request of PutEvents would have too many entries or too many bytes. */
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
