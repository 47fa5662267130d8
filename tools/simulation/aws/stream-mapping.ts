import { createHash } from 'node:crypto';
import { type BatchParts, handleStreamBatch } from '@payhooks/cdk-local/stream-batch';
import { createStreamRecord, differ, type StreamRecord } from '@payhooks/cdk-local/table-stream';
import { orderAttributes } from '../../../lambdas/contract/schema.ts';
import type { Clock } from '../clock.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Random } from '../random.ts';
import type { Write } from './dynamodb/store.ts';
import type { Queue } from './queue.ts';

export interface StreamMappingParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly onRecord: (record: StreamRecord) => void;
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
const streamModel = {
  arn: 'arn:aws:dynamodb:us-east-1:111111111111:stream',
  viewType: 'NEW_AND_OLD_IMAGES',
} as const;
/** As the stack configures it. */
const model = { reportsItemFailures: true, bisectsBatches: true, retriesMax: Number.POSITIVE_INFINITY };

/** The stream of the orders and Lambda's event source mapping of it: those of local mode, in virtual time. */
export function startStreamMapping(parts: StreamMappingParts) {
  const { clock, random, functions, count } = parts;
  const lanes = Array.from({ length: parts.lanes }, (): Lane => ({ waiting: [], isRunning: false }));
  let number = 0;

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
      const invocation = await functions.invoke('order-feed', { Records: records });
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
    /**
     * Records a write to the table. The records of one key are in one shard and, with a parallelisation
     * factor, in one lane of it; a lane is what stays in sequence.
     */
    add({ before, after }: Write): void {
      if (!differ({ before, after })) return;
      number += 1;
      const sequenceNumber = String(10n ** 20n + BigInt(number));
      const key = (after ?? before)?.[orderAttributes.key] ?? {};
      const write = { before, after, keys: { [orderAttributes.key]: key }, sequenceNumber, at: clock.now() };
      const record = createStreamRecord(streamModel, write);
      parts.onRecord(record);
      const hash = createHash('sha256').update(JSON.stringify(key)).digest().readUInt32BE();
      const lane = lanes[hash % lanes.length] as Lane;
      lane.waiting.push(record);
      if (!lane.isRunning) void run(lane);
    },
    /** Lambda's metric IteratorAge: how long the oldest record has waited. */
    iteratorAge: (): number => {
      const oldest = lanes.flatMap(({ waiting }) => waiting[0]?.dynamodb.ApproximateCreationDateTime ?? []);
      return oldest.length === 0 ? 0 : clock.now() - Math.min(...oldest) * 1_000;
    },
    isIdle: (): boolean => lanes.every(({ waiting }) => waiting.length === 0),
  };
}
