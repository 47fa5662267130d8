import { setTimeout as pause } from 'node:timers/promises';
import type { StreamPosition, StreamRecord, TableStream } from '../emulators/table-stream.ts';
import type { Invocation } from '../functions/invocation.ts';
import type { StreamMappingModel } from '../template/invocations.ts';
import { backOff } from './backoff.ts';
import { discardedBatchMessage } from './discarded-batch.ts';
import type { Mapping } from './queue-mapping.ts';
import { type BatchParts, handleStreamBatch } from './stream-batch.ts';

interface StreamMappingOptions {
  readonly model: Omit<StreamMappingModel, 'enabled'>;
  readonly stream: TableStream;
  readonly functionArn: string;
  /** `ageMilliseconds` is that of the last record. */
  readonly invoke: (event: unknown, ageMilliseconds: number) => Promise<Invocation>;
  /** Sends a message to the destination for failures. */
  readonly discard: (message: object) => Promise<void>;
  /** Receives a sentence about a stream or a queue that does not respond. */
  readonly onFault: (sentence: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The time between two reads of a shard. */
  readonly pollMilliseconds?: number;
}

/** Lambda reads a shard four times a second, unless more than a batch waits. */
const pollMillisecondsByDefault = 250;
/** Lambda's limit for one invocation. */
const payloadBytesMax = 6 * 1024 * 1024;
const batchCheckMilliseconds = 100;

/** The records of some partition keys, one batch after the other. */
interface Lane {
  readonly waiting: StreamPosition[];
  readAt: number;
  /** Resolves when a record arrives. */
  arrival: PromiseWithResolvers<void>;
}

/**
 * Feeds the stream of a table to a function like Lambda: several batches at a time, but those of one
 * partition key one after the other. A batch that fails blocks the records after it until it is done or
 * discarded.
 */
export function startStreamMapping(options: StreamMappingOptions): Mapping {
  const { model, stream } = options;
  const stopping = new AbortController();
  const lanes = Array.from(
    { length: model.parallelBatches },
    (): Lane => ({ waiting: [], readAt: Number.NEGATIVE_INFINITY, arrival: Promise.withResolvers() }),
  );
  const unfollow = stream.follow((position) => {
    const lane = lanes[position.keyHash % lanes.length];
    lane?.waiting.push(position);
    lane?.arrival.resolve();
  });
  const running = lanes.map((lane) => runLane({ ...options, stopping: stopping.signal }, lane));
  return {
    async stop() {
      unfollow();
      stopping.abort();
      for (const lane of lanes) lane.arrival.resolve();
      await Promise.all(running);
    },
  };
}

type Running = StreamMappingOptions & { readonly stopping: AbortSignal };

async function runLane(options: Running, lane: Lane): Promise<void> {
  const { model, stopping, onFault } = options;
  let faults = 0;
  while (!stopping.aborted) {
    await lane.arrival.promise;
    if (lane.waiting.length === 0) {
      lane.arrival = Promise.withResolvers();
      continue;
    }
    await gather(options, lane);
    try {
      await handleStreamBatch(batchParts(options, lane), await readBatch(options, lane));
      faults = 0;
    } catch (error) {
      faults += 1;
      onFault(`${model.name} cannot use its stream or its queue for failures: ${String(error)}`);
      await backOff(faults, stopping);
    }
  }
}

/** Waits until there is a whole batch, and no longer than the next read. */
async function gather(options: Running, lane: Lane): Promise<void> {
  const { model, stopping, pollMilliseconds = pollMillisecondsByDefault } = options;
  const end = lane.readAt + pollMilliseconds;
  while (lane.waiting.length < model.batchRecordsMax && performance.now() < end && !stopping.aborted) {
    await pause(Math.min(end - performance.now(), batchCheckMilliseconds));
  }
  lane.readAt = performance.now();
}

/** As many records as one invocation takes, and at least one. */
async function readBatch({ model, stream }: Running, { waiting }: Lane): Promise<StreamRecord[]> {
  const records = await stream.read(waiting.slice(0, model.batchRecordsMax));
  let bytes = 0;
  const over = records.findIndex((record, index) => {
    bytes += Buffer.byteLength(JSON.stringify(record));
    return index > 0 && bytes > payloadBytesMax;
  });
  return over === -1 ? records : records.slice(0, over);
}

function batchParts(options: Running, lane: Lane): BatchParts {
  const { model, stream, functionArn, stopping, now = Date.now } = options;
  const ageOf = ({ dynamodb: { SequenceNumber } }: StreamRecord): number => {
    const position = lane.waiting.find(({ sequenceNumber }) => sequenceNumber === SequenceNumber);
    return position === undefined ? 0 : stream.age(position);
  };
  return {
    model,
    isTooOld: (record) => ageOf(record) > model.recordAgeSecondsMax * 1000,
    invoke: (records) => options.invoke({ Records: records }, Math.max(0, ...records.slice(-1).map(ageOf))),
    async settle(records) {
      await stream.remove(lane.waiting.slice(0, records.length));
      lane.waiting.splice(0, records.length);
    },
    discard: (batch) => options.discard(discardedBatchMessage({ ...batch, functionArn }, new Date(now()))),
    async mayRetry(failures) {
      await backOff(failures, stopping);
      return !stopping.aborted;
    },
  };
}
