import { createHash } from 'node:crypto';
import type { StreamModel } from '../template/model.ts';
import { region } from './account.ts';
import { type Item, itemBytes } from './dynamodb-internals.ts';

/** A record of a stream as Lambda hands it over. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly eventSourceARN: string;
  readonly dynamodb: {
    /** Seconds since the epoch. */
    readonly ApproximateCreationDateTime: number;
    readonly Keys: Item;
    readonly NewImage?: Item;
    readonly OldImage?: Item;
    readonly SequenceNumber: string;
    readonly SizeBytes: number;
    readonly StreamViewType: StreamModel['viewType'];
  };
}

/** One write to an item; `undefined` when there was no item before, or is none after. */
export interface Write {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

export interface RecordParts {
  readonly stream: StreamModel;
  readonly keys: Item;
  readonly write: Write;
  readonly sequenceNumber: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function createStreamRecord({ stream, keys, write, sequenceNumber, now }: RecordParts): StreamRecord {
  const { before, after } = write;
  const { arn, viewType } = stream;
  const images = {
    ...(after !== undefined && /^NEW/.test(viewType) && { NewImage: after }),
    ...(before !== undefined && /OLD_IMAGE/.test(viewType) && { OldImage: before }),
  };
  return {
    eventID: createHash('sha256').update(`${arn} ${sequenceNumber}`).digest('hex').slice(0, 32),
    eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(now / 1000),
      Keys: keys,
      ...images,
      SequenceNumber: sequenceNumber,
      SizeBytes: [keys, ...Object.values(images)].reduce((sum, item) => sum + itemBytes(item), 0),
      StreamViewType: viewType,
    },
    eventSourceARN: arn,
  };
}

/** Whether a write changed anything: one that did not has no record. */
export function changesItem({ before, after }: Write): boolean {
  if (before === undefined || after === undefined) return before !== after;
  const names = Object.keys(after);
  if (names.length !== Object.keys(before).length) return true;
  return names.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
