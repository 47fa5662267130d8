import { randomUUID } from 'node:crypto';
import { account, region } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { startAwsJson } from './aws-json.ts';
import { type BusEvent, openEventLog } from './event-log.ts';

interface Entry {
  readonly EventBusName?: string;
  readonly Source: string;
  readonly DetailType: string;
  readonly Detail: string;
  /** Seconds since the epoch. */
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

const entriesMax = 10;
/** Of all entries of a request. */
const entriesBytesMax = 1024 * 1024;

/**
 * PutEvents on a free loopback port, with a log of the latest events, in memory or in `file`. There are no
 * rules, and no entry is refused by itself. No npm package emulates it.
 */
export async function startEventBridge(file?: string) {
  const events = openEventLog(file);
  const buses = new Set(['default']);
  const emulator = await startAwsJson({
    target: 'AWSEvents',
    operations: {
      async PutEvents({ Entries }: { readonly Entries: readonly Entry[] }) {
        checkSize(Entries);
        const created = Entries.map(createBusEvent);
        // Like the service: an event for a bus that does not exist gets an id and is dropped.
        events.append(created.filter((_, index) => buses.has(busOf(Entries[index]))));
        return { FailedEntryCount: 0, Entries: created.map(({ id }) => ({ EventId: id })) };
      },
    },
  });
  return {
    ...emulator,
    /** What was put on the buses. */
    events,
    createBus: (name: string) => void buses.add(name),
    async close() {
      await emulator.close();
      events.close();
    },
  };
}

/** From a name or an ARN, such as `arn:aws:events:…:event-bus/name`. */
const busOf = (entry: Entry | undefined): string =>
  entry?.EventBusName?.split('event-bus/').at(-1) ?? 'default';

/** By the rules of the service: text is its UTF-8, a time is 14 bytes. */
function checkSize(entries: readonly Entry[]): void {
  const bytes = entries.reduce((sum, { Time, Source, DetailType, Detail, Resources = [] }) => {
    const text = [Source, DetailType, Detail, ...Resources].join('');
    return sum + Buffer.byteLength(text) + (Time === undefined ? 0 : 14);
  }, 0);
  if (entries.length > entriesMax || bytes > entriesBytesMax)
    throw new AwsError('ValidationException', 'The request has more than 10 entries, or more than 1 MiB.');
}

const createBusEvent = ({ Source, DetailType, Detail, Time, Resources = [] }: Entry): BusEvent => ({
  version: '0',
  id: randomUUID(),
  'detail-type': DetailType,
  source: Source,
  account,
  time: new Date(Time === undefined ? Date.now() : Time * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  region,
  resources: Resources,
  detail: JSON.parse(Detail) as object,
});
