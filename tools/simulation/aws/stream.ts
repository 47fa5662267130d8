import { createHash } from 'node:crypto';
import { createStreamRecord, differ, type StreamRecord } from '@payhooks/cdk-local/table-stream';
import type { Clock } from '../clock.ts';
import type { Write } from './dynamodb/store.ts';

export interface Stream {
  /** Records a write to the table. */
  add(write: Write): void;
  /** Receives every record with its lane, in the order of the writes. */
  follow(onRecord: (record: StreamRecord, lane: number) => void): void;
}

interface StreamParts {
  readonly clock: Clock;
  readonly keyName: string;
  readonly lanes: number;
}

const model = {
  arn: 'arn:aws:dynamodb:us-east-1:111111111111:stream',
  viewType: 'NEW_AND_OLD_IMAGES',
} as const;

/**
 * The stream of a table. The records of one key are in one shard and, with a parallelisation factor, in one
 * lane of it; a lane is what stays in sequence.
 */
export function createStream({ clock, keyName, lanes }: StreamParts): Stream {
  const listeners: ((record: StreamRecord, lane: number) => void)[] = [];
  let number = 0;
  return {
    add({ before, after }) {
      if (!differ({ before, after })) return;
      number += 1;
      const sequenceNumber = String(10n ** 20n + BigInt(number));
      const key = (after ?? before)?.[keyName] ?? {};
      const write = { before, after, keys: { [keyName]: key }, sequenceNumber, at: clock.now() };
      const hash = createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE();
      for (const listener of listeners) listener(createStreamRecord(model, write), hash % lanes);
    },
    follow: (onRecord) => void listeners.push(onRecord),
  };
}
