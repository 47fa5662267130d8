import { randomUUID } from 'node:crypto';
import { account, region } from './account.ts';
import { AwsError, type Parameters } from './aws-json.ts';

/** An event as the target of a rule gets it. */
export interface BusEvent {
  readonly version: '0';
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601 UTC, in whole seconds. */
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: object;
}

/** One entry of a request; the SDK sends a time as seconds since the epoch. */
export interface Entry {
  readonly EventBusName?: string;
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Time?: number;
  readonly Resources?: readonly string[];
}

/** What the answer says of an entry. */
export type EntryAnswer =
  | { readonly EventId: string }
  | { readonly ErrorCode: string; readonly ErrorMessage: string };

const entriesMax = 10;
/** Of all entries together; for years it was 256 KB, and some targets still have that limit. */
export const entriesBytesMax = 1024 * 1024;

/** The entries of a request. Throws an `AwsError` when the service would refuse it as a whole. */
export function readEntries({ Entries }: Parameters): readonly Entry[] {
  const entries = Array.isArray(Entries) ? (Entries as readonly Entry[]) : [];
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
  return entries;
}

/** As the service counts it: a time is 14 bytes, text is its UTF-8. */
function entryBytes({ Time, Source, DetailType, Detail, Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), Time === undefined ? 0 : 14);
}

/** The event of an entry, or why there is none. */
export function createBusEvent(
  entry: Entry,
  now: number,
): BusEvent | Exclude<EntryAnswer, { EventId: string }> {
  const { Source, DetailType, Detail, Time, Resources = [] } = entry;
  if (!Source) return missing('Source');
  if (!DetailType) return missing('DetailType');
  if (!Detail) return missing('Detail');
  if (Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' };
  }
  const detail = parseObject(Detail);
  if (detail === undefined) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': DetailType,
    source: Source,
    account,
    time: new Date(Time === undefined ? now : Time * 1000).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region,
    resources: Resources,
    detail,
  };
}

function missing(name: string): Exclude<EntryAnswer, { EventId: string }> {
  const ErrorMessage = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
  return { ErrorCode: 'InvalidArgument', ErrorMessage };
}

function parseObject(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
