import { createHash } from 'node:crypto';
import type { StreamModel } from '../template/model.ts';
import { type Item, itemKey, type Store } from './dynamodb-internals.ts';
import { changesItem, createStreamRecord, type StreamRecord } from './stream-record.ts';

/** Where a record stands. */
export interface StreamPosition {
  /** Of two records of one partition key the later one has the higher number; all have the same length. */
  readonly sequenceNumber: string;
  /** A number that only the partition key decides. */
  readonly keyHash: number;
}

/** What has been written to a table and was not handled so far. */
export interface TableStream {
  readonly arn: string;
  /** Hands over the place of each record that waits, oldest first, and then of each new one. */
  follow(onRecord: (position: StreamPosition) => void): void;
  read(positions: readonly StreamPosition[]): Promise<StreamRecord[]>;
  /** Forgets records that were handled. */
  remove(positions: readonly StreamPosition[]): Promise<void>;
}

/** The table whose writes are recorded, with the names of its key attributes, the partition key first. */
export interface StreamSource {
  readonly tableName: string;
  readonly keyNames: readonly string[];
  readonly stream: StreamModel;
}

/**
 * Records every write to a table from now on. dynalite knows no streams, so this stands between its actions
 * and its database, and stores a record in one step with the item that it tells of: whenever the process is
 * killed, there is no change without its record. A record stays until it is removed, also over a restart.
 */
export async function openStream(store: Store, source: StreamSource): Promise<TableStream> {
  const { tableName } = source;
  const prefix = `stream-${tableName}~`;
  const keyOf = ({ sequenceNumber, keyHash }: StreamPosition): string =>
    `${prefix}${sequenceNumber}~${keyHash}`;
  const kept = await store.db.keys({ gte: prefix, lt: `${prefix}\xff` }).all();
  const waiting = kept.map((key): StreamPosition => {
    const [sequenceNumber = '', keyHash] = key.slice(prefix.length).split('~');
    return { sequenceNumber, keyHash: Number(keyHash) };
  });
  const nextNumber = countSequence(waiting.at(-1)?.sequenceNumber);
  let onRecord = (position: StreamPosition): void => {
    waiting.push(position);
  };

  const write = async (key: string, after: Item | undefined): Promise<void> => {
    const at = itemKey(tableName, key);
    const before = (await store.db.get(at)) as Item | undefined;
    const change = after === undefined ? del(at) : put(at, after);
    if (!changesItem({ before, after })) return store.db.batch([change]);
    const keys = keysOf(source, { ...before, ...after });
    const position = { sequenceNumber: nextNumber(), keyHash: hashOf(keys, source) };
    const { stream } = source;
    const { sequenceNumber } = position;
    const record = createStreamRecord({
      stream,
      keys,
      write: { before, after },
      sequenceNumber,
      now: Date.now(),
    });
    await store.db.batch([change, put(keyOf(position), record)]);
    onRecord(position);
  };
  intercept(store, tableName, write);

  return {
    arn: source.stream.arn,
    follow(listener) {
      onRecord = listener;
      for (const position of waiting.splice(0)) listener(position);
    },
    read: async (positions) => (await store.db.getMany(positions.map(keyOf))) as StreamRecord[],
    remove: (positions) => store.db.batch(positions.map((position) => del(keyOf(position)))),
  };
}

const put = (key: string, value: unknown) => ({ type: 'put', key, value }) as const;
const del = (key: string) => ({ type: 'del', key }) as const;

/** dynalite's actions hold the lock of the item while they write, so the writes to one item stay in order. */
function intercept(
  store: Store,
  tableName: string,
  write: (key: string, after: Item | undefined) => Promise<void>,
): void {
  const items = store.getItemDb(tableName);
  const answer = (written: Promise<void>, done: (error: unknown) => void): void => {
    // Outside of the promise, where an error of dynalite's own is not taken for one of the write.
    written.then(
      () => setImmediate(done, null),
      (error: unknown) => setImmediate(done, error),
    );
  };
  items.put = (key, item, done) => answer(write(key, item), done);
  items.del = (key, done) => answer(write(key, undefined), done);
}

/**
 * Numbers of 21 digits, as those of AWS have at least. They begin with the time, so that they also grow from
 * one process to the next.
 */
function countSequence(last: string | undefined): () => string {
  const time = 10n ** 20n + BigInt(Date.now()) * 10n ** 7n;
  let number = last === undefined || BigInt(last) < time ? time : BigInt(last);
  return () => {
    number += 1n;
    return String(number);
  };
}

function keysOf({ keyNames }: StreamSource, item: Item): Item {
  return Object.fromEntries(keyNames.map((name) => [name, item[name] ?? {}]));
}

function hashOf(keys: Item, { keyNames: [partitionKey = ''] }: StreamSource): number {
  return createHash('sha256').update(JSON.stringify(keys[partitionKey])).digest().readUInt32BE();
}
