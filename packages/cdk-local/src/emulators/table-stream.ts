import { createHash } from 'node:crypto';
import { region } from '../account.ts';
import type { StreamModel } from '../template/resources.ts';
import type { Dynalite } from './dynalite.ts';
import { type Item, itemBytes } from './dynalite-items.ts';
import { del, put } from './dynalite-store.ts';
import type { Write } from './table-writes.ts';

export interface StreamPosition {
  /** Of two records with one partition key the later one has the higher number; all have the same length. */
  readonly sequenceNumber: string;
  /** Depends on the partition key alone. */
  readonly keyHash: number;
}

/** The writes to a table that were not handled yet. */
export type TableStream = Awaited<ReturnType<typeof openStream>>;

export interface StreamSource {
  readonly tableName: string;
  /** The partition key first. */
  readonly stream: StreamModel & { readonly keyNames: readonly string[] };
  /** Milliseconds since the epoch; records age by it. */
  readonly now: () => number;
}

/**
 * Records every write to a table from now on. A record is stored in one batch with its change: even when the
 * process is killed, there is no change without its record. A record stays until it is removed.
 */
export async function openStream(dynalite: Dynalite, source: StreamSource) {
  const { database } = dynalite;
  const { tableName, stream, now } = source;
  const { keyNames } = stream;
  const prefix = `stream-${tableName}~`;
  const keyOf = ({ sequenceNumber, keyHash }: StreamPosition): string =>
    `${prefix}${sequenceNumber}~${keyHash}`;
  const kept = await database.keys({ gte: prefix, lt: `${prefix}\xff` }).all();
  const positions = kept.map((key): StreamPosition => {
    const [sequenceNumber = '', keyHash] = key.slice(prefix.length).split('~');
    return { sequenceNumber, keyHash: Number(keyHash) };
  });
  const nextNumber = countSequence(positions.at(-1)?.sequenceNumber);
  /** By key, what is not handled yet. */
  const waiting = new Map(
    positions.map((position) => [keyOf(position), { position, arrivedAt: now() }] as const),
  );
  let listener: ((position: StreamPosition) => void) | undefined;
  const onRecord = (position: StreamPosition): void => {
    waiting.set(keyOf(position), { position, arrivedAt: now() });
    listener?.(position);
  };
  const age = (position: StreamPosition): number =>
    now() - (waiting.get(keyOf(position))?.arrivedAt ?? now());
  const remove = async (handled: readonly StreamPosition[]): Promise<void> => {
    await database.batch(handled.map((position) => del(keyOf(position))));
    for (const position of handled) waiting.delete(keyOf(position));
  };

  dynalite.recordWrites(tableName, (images) => {
    if (!differ(images)) return { changes: [] };
    const item = { ...images.before, ...images.after };
    const keys = Object.fromEntries(keyNames.map((name) => [name, item[name] ?? {}]));
    const position = { sequenceNumber: nextNumber(), keyHash: hashOf(keys[keyNames[0] ?? '']) };
    const { sequenceNumber } = position;
    const record = createStreamRecord(stream, { ...images, keys, sequenceNumber, at: Date.now() });
    return { changes: [put(keyOf(position), record)], onStored: () => onRecord(position) };
  });

  return {
    /**
     * Passes on the position of each record that waits, oldest first, and then of each new one. Returns the
     * function that ends it.
     */
    follow(onPosition: (position: StreamPosition) => void): () => void {
      listener = onPosition;
      for (const { position } of waiting.values()) onPosition(position);
      return function end() {
        if (listener === onPosition) listener = undefined;
      };
    },
    /** How long a record has waited, in milliseconds; not the time when no process ran. */
    age,
    /** Deletes records that were handled. */
    remove,
    read: async (wanted: readonly StreamPosition[]) =>
      (await database.getMany(wanted.map(keyOf))) as StreamRecord[],
  };
}

/**
 * Numbers of 21 digits, like those of AWS. They begin with the time, so that a restart continues above them.
 */
function countSequence(last: string | undefined): () => string {
  const time = 10n ** 20n + BigInt(Date.now()) * 10n ** 7n;
  let number = last === undefined || BigInt(last) < time ? time : BigInt(last);
  return function nextSequenceNumber() {
    number += 1n;
    return String(number);
  };
}

const hashOf = (key: unknown): number =>
  createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE();

type Images = Pick<Write, 'before' | 'after'>;

/** A write that changes nothing has no record. */
export function differ({ before, after }: Images): boolean {
  if (before === undefined || after === undefined) return before !== after;
  const names = Object.keys(after);
  if (names.length !== Object.keys(before).length) return true;
  return names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

/** A record of a stream in the form that Lambda passes to a function. */
export type StreamRecord = ReturnType<typeof createStreamRecord>;

interface RecordedWrite extends Images {
  readonly keys: Item;
  readonly sequenceNumber: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export function createStreamRecord(
  { arn, viewType }: Pick<StreamModel, 'arn' | 'viewType'>,
  { before, after, keys, sequenceNumber, at }: RecordedWrite,
) {
  const images = {
    ...(after !== undefined && viewType.startsWith('NEW') && { NewImage: after }),
    ...(before !== undefined && viewType.includes('OLD_IMAGE') && { OldImage: before }),
  };
  return {
    eventID: createHash('sha256').update(`${arn} ${sequenceNumber}`).digest('hex').slice(0, 32),
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      /** Seconds since the epoch. */
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: keys,
      ...images,
      SequenceNumber: sequenceNumber,
      SizeBytes: [keys, ...Object.values(images)].reduce((sum, item) => sum + itemBytes(item), 0),
      StreamViewType: viewType,
    },
    eventSourceARN: arn,
  } as const;
}
