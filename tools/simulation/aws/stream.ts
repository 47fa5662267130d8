import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Item, Write } from './dynamodb/store.ts';

/** A record in the form that Lambda passes to a function, and the lane that its order belongs to. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventSource: 'aws:dynamodb';
  readonly dynamodb: {
    /** Seconds since the epoch. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly StreamViewType: 'NEW_AND_OLD_IMAGES';
  };
}

export interface Stream {
  /** Records a write to the table. */
  add(write: Write): void;
  /** Receives every record with its lane, in the order of the writes. */
  follow(onRecord: (record: StreamRecord, lane: number) => void): void;
}

/**
 * The stream of a table. The records of one key are in one shard and, with a parallelisation factor, in one
 * lane of it; a lane is what stays in sequence.
 */
export function createStream({
  clock,
  keyName,
  lanes,
}: {
  clock: Clock;
  keyName: string;
  lanes: number;
}): Stream {
  const listeners: ((record: StreamRecord, lane: number) => void)[] = [];
  let number = 0;
  return {
    add({ before, after }) {
      // A write that changes nothing has no record.
      if (JSON.stringify(before) === JSON.stringify(after)) return;
      number += 1;
      const SequenceNumber = String(10n ** 20n + BigInt(number));
      const key = (after ?? before)?.[keyName] ?? {};
      const record: StreamRecord = {
        eventID: SequenceNumber,
        eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
        eventSource: 'aws:dynamodb',
        dynamodb: {
          ApproximateCreationDateTime: Math.floor(clock.now() / 1_000),
          Keys: { [keyName]: key },
          ...(after !== undefined && { NewImage: after }),
          ...(before !== undefined && { OldImage: before }),
          SequenceNumber,
          StreamViewType: 'NEW_AND_OLD_IMAGES',
        },
      };
      const hash = createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE();
      for (const listener of listeners) listener(record, hash % lanes);
    },
    follow: (onRecord) => void listeners.push(onRecord),
  };
}
