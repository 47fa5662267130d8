import { type BatchParts, handleStreamBatch } from '@payhooks/cdk-local/stream-batch';
import type { StreamRecord } from '@payhooks/cdk-local/table-stream';
import type { Clock } from '../clock.ts';
import { asInvocation, type Functions } from '../lambda/functions.ts';
import type { Random } from '../random.ts';
import type { Queue } from './queue.ts';
import type { Stream } from './stream.ts';

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

interface Lane {
  readonly waiting: StreamRecord[];
  isRunning: boolean;
}

const backOffSecondsMax = 60;
/** As the stack configures it. */
const model = { reportsItemFailures: true, bisectsBatches: true, retriesMax: Number.POSITIVE_INFINITY };

/** Lambda's event source mapping of a DynamoDB stream: that of local mode, in virtual time. */
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
      await handleStreamBatch(batchParts(lane), records);
    }
    lane.isRunning = false;
  }

  const batchParts = ({ waiting }: Lane): BatchParts => ({
    model,
    isTooOld: ({ dynamodb }) =>
      clock.now() - dynamodb.ApproximateCreationDateTime * 1_000 > parts.recordAgeSecondsMax * 1_000,
    async invoke(records) {
      const invocation = asInvocation(await functions.invoke('order-feed', { Records: records }));
      if (!invocation.ok && records.length > 1) count('stream_batch_bisected');
      if (invocation.ok && invocation.payload.includes('itemIdentifier')) count('stream_batch_continued');
      return invocation;
    },
    async settle(records) {
      waiting.splice(0, records.length);
    },
    async discard({ condition, records }) {
      count('stream_records_discarded');
      const sequenceNumbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
      const DDBStreamBatchInfo = { sequenceNumbers, batchSize: records.length };
      parts.failures.send(JSON.stringify({ condition, DDBStreamBatchInfo }), {});
    },
    async mayRetry(failures) {
      await clock.pause(Math.min(2 ** (failures - 1), backOffSecondsMax) * 1_000);
      return true;
    },
  });

  return {
    /** Lambda's metric IteratorAge: how long the oldest record has waited. */
    iteratorAge: (): number => {
      const oldest = lanes.flatMap(({ waiting }) => waiting[0]?.dynamodb.ApproximateCreationDateTime ?? []);
      return oldest.length === 0 ? 0 : clock.now() - Math.min(...oldest) * 1_000;
    },
    isIdle: (): boolean => lanes.every(({ waiting }) => waiting.length === 0),
  };
}
