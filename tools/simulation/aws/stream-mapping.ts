import type { Clock } from '../clock.ts';
import type { Functions, Invocation } from '../lambda/functions.ts';
import type { Random } from '../random.ts';
import { failedItems } from './failed-items.ts';
import type { Queue } from './queue.ts';
import type { Stream, StreamRecord } from './stream.ts';

export interface StreamMappingParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly stream: Stream;
  readonly functions: Pick<Functions, 'invoke'>;
  readonly batchRecordsMax: number;
  /** Records wait for others at most this long. */
  readonly windowMilliseconds: number;
  readonly recordAgeSecondsMax: number;
  readonly lanes: number;
  /** The destination for records that Lambda gives up on. */
  readonly failures: Queue;
  /** Names what happens that must happen sometimes. */
  readonly count: (name: string) => void;
}

/** Records of one lane that are invoked together, and how often that failed. */
interface Piece {
  readonly records: readonly StreamRecord[];
  readonly failures: number;
}

const backOffSecondsMax = 60;

/**
 * Lambda's event source mapping of a DynamoDB stream, by its documentation: batches of one lane one after the
 * other; a function that names the first record that failed is invoked again from there; a batch that fails
 * whole is bisected, the older half first; retries end with the age of a record, which then goes to the
 * destination for failures.
 */
export function startStreamMapping(parts: StreamMappingParts) {
  const { clock, random, functions, count } = parts;
  const lanes = Array.from({ length: parts.lanes }, (): Lane => ({ waiting: [], isRunning: false }));

  parts.stream.follow((record, lane) => {
    const chosen = lanes[lane];
    if (chosen === undefined)
      throw new Error(`The stream has a lane ${lane}; its mapping has ${lanes.length}.`);
    chosen.waiting.push(record);
    if (!chosen.isRunning) void run(chosen);
  });

  async function run(lane: Lane): Promise<void> {
    lane.isRunning = true;
    while (lane.waiting.length > 0) {
      await clock.pause(random.integer(1, parts.windowMilliseconds));
      const records = lane.waiting.slice(0, random.integer(1, parts.batchRecordsMax));
      await handleBatch(records);
      lane.waiting.splice(0, records.length);
    }
    lane.isRunning = false;
  }

  /** Until each record is published or discarded. */
  async function handleBatch(records: readonly StreamRecord[]): Promise<void> {
    let pieces: Piece[] = [{ records, failures: 0 }];
    for (let [piece, ...later] = pieces; piece !== undefined; [piece, ...later] = pieces) {
      const fresh = discardOld(piece);
      const left = fresh.records.length === 0 ? [] : await attempt(fresh);
      pieces = [...left, ...later];
      const failures = left[0]?.failures ?? 0;
      if (failures > 0) await clock.pause(Math.min(2 ** (failures - 1), backOffSecondsMax) * 1_000);
    }
  }

  async function attempt({ records, failures }: Piece): Promise<Piece[]> {
    const invocation: Invocation = await functions.invoke('order-feed', { Records: records });
    const ids = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const failed = failedItems(invocation, ids);
    if (failed.size === 0) return [];
    const first = ids.findIndex((id) => failed.has(id));
    const isNamed = invocation.kind === 'returned';
    // A function that names its first failure has done what comes before it.
    if (isNamed) count('stream_batch_continued');
    if (isNamed && first > 0) return [{ records: records.slice(first), failures: 1 }];
    // AWS does not document it for a batch whose first record is named: bisected, or invoked again whole.
    const isWhole = records.length === 1 || (isNamed && random.chance(0.5));
    if (isWhole) return [{ records, failures: failures + 1 }];
    count('stream_batch_bisected');
    const middle = Math.ceil(records.length / 2);
    return [records.slice(0, middle), records.slice(middle)].map((half) => ({
      records: half,
      failures: failures + 1,
    }));
  }

  function discardOld({ records, failures }: Piece): Piece {
    const isOld = ({ dynamodb }: StreamRecord): boolean =>
      clock.now() - dynamodb.ApproximateCreationDateTime * 1_000 > parts.recordAgeSecondsMax * 1_000;
    const old = records.filter(isOld);
    if (old.length === 0) return { records, failures };
    count('stream_records_discarded');
    const numbers = old.map(({ dynamodb }) => dynamodb.SequenceNumber);
    const DDBStreamBatchInfo = { sequenceNumbers: numbers, batchSize: old.length };
    parts.failures.send(JSON.stringify({ condition: 'RecordAgeExceeded', DDBStreamBatchInfo }), {});
    return { records: records.filter((record) => !isOld(record)), failures: 0 };
  }

  return {
    /** Lambda's metric IteratorAge: how long the oldest record has waited. */
    iteratorAge: (): number => {
      const oldest = lanes.flatMap(({ waiting }) => waiting[0]?.dynamodb.ApproximateCreationDateTime ?? []);
      return oldest.length === 0 ? 0 : clock.now() - Math.min(...oldest) * 1_000;
    },
    isIdle: (): boolean => lanes.every(({ waiting }) => waiting.length === 0),
  };
}

interface Lane {
  readonly waiting: StreamRecord[];
  isRunning: boolean;
}
