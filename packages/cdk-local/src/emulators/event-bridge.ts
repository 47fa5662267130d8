import { randomUUID } from 'node:crypto';
import { account, region } from '../account.ts';
import { AwsError } from './aws-error.ts';
import { startAwsJson } from './aws-json.ts';
import { type BusEvent, openEventLog } from './event-log.ts';

export type EventBridgeEmulator = Awaited<ReturnType<typeof startEventBridge>>;

interface Entry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  /** Seconds since the epoch. */
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

interface Refusal {
  readonly ErrorCode: string;
  readonly ErrorMessage: string;
}

const entriesMax = 10;
/** Of all entries of a request. */
const entriesBytesMax = 1024 * 1024;
/** As JSON, a detail may be twice as long as the text that is counted. */
const requestBytesMax = 4 * entriesBytesMax;

/**
 * PutEvents on a free loopback port, with a log of the latest events, in memory or in `file`. There are no
 * rules. No npm package emulates it.
 */
export async function startEventBridge(file?: string) {
  const events = openEventLog(file);
  const buses = new Set(['default']);
  const emulator = await startAwsJson({
    target: 'AWSEvents',
    operations: {
      async PutEvents({ Entries = [] }: { readonly Entries?: readonly Entry[] }) {
        checkEntries(Entries);
        const results = Entries.map(createBusEvent);
        events.append(
          results.filter((result, index) => {
            // A name or an ARN, such as `arn:aws:events:…:event-bus/name`.
            const bus = Entries[index]?.EventBusName?.split('event-bus/').at(-1) ?? 'default';
            // Like the service: an event for a bus that does not exist gets an id and is dropped.
            return 'id' in result && buses.has(bus);
          }) as BusEvent[],
        );
        return {
          FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
          Entries: results.map((result) => ('id' in result ? { EventId: result.id } : result)),
        };
      },
    },
    requestBytesMax,
  });
  return {
    endpoint: emulator.endpoint,
    fail: emulator.fail,
    /** What was put on the buses. */
    events,
    createBus: (name: string) => void buses.add(name),
    async close() {
      await emulator.close();
      events.close();
    },
  };
}

/** Throws an `AwsError` when the service would refuse the request as a whole. */
function checkEntries(entries: readonly Entry[]): void {
  if (entries.length === 0 || entries.length > entriesMax) {
    const bound = entries.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${entriesMax}`;
    throw new AwsError(
      'ValidationException',
      "1 validation error detected: Value at 'entries' failed to satisfy constraint: " +
        `Member must have length ${bound}`,
    );
  }
  if (entries.reduce((sum, entry) => sum + entryBytes(entry), 0) > entriesBytesMax) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.');
  }
}

/** By the rules of the service: a time is 14 bytes, text is its UTF-8. */
function entryBytes({ Time, Source, DetailType, Detail, Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), Time === undefined ? 0 : 14);
}

function createBusEvent({ Source, DetailType, Detail, Time, Resources = [] }: Entry): BusEvent | Refusal {
  if (!Source) return missing('Source');
  if (!DetailType) return missing('DetailType');
  if (!Detail) return missing('Detail');
  if (Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = parseObject(Detail);
  if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  const at = new Date(Time === undefined ? Date.now() : Time * 1000);
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account,
    time: at.toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region,
    resources: Resources,
    detail,
  };
}

const missing = (name: string): Refusal => ({
  ErrorCode: 'InvalidArgument',
  ErrorMessage: `Parameter ${name} is not valid. Reason: ${name} is a required argument.`,
});

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
