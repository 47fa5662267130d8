import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { FaultKind } from '@payhooks/cdk-local/faults';
import { type Pipeline, startPipeline } from '../../../local/pipeline/pipeline.ts';
import { check } from '../checker/check.ts';
import { isCompact } from '../checker/compact-form.ts';
import type { Violation } from '../checker/violation.ts';
import type { AwsCall, Delivery, History } from '../history.ts';
import { itemBytesMax } from '../plan.ts';
import { createRandom } from '../random.ts';
import { createRecorder, type Recorder } from '../recorder.ts';
import { planDeliveries } from '../workload/deliveries.ts';
import { followBus, readAll, scanAll } from './final-state.ts';
import { type Receiver, sendAll } from './senders.ts';

const privateKeys = { live: 'pri_emulated', sandbox: 'pri_sandbox_emulated' } as const;
const settings = { region: 'us-east-1', credentials: { accessKeyId: 'none', secretAccessKey: 'none' } };
const faultRate = 0.05;
const pauseMilliseconds = 500;
const looksMax = 60;
/**
 * The calls of the functions. Those of the event source mapping are Lambda's own; a postponed retry that is
 * lost only makes the run wait five minutes.
 */
const faulty = {
  dynamodb: undefined,
  sqs: ['SendMessage'],
  secretsManager: undefined,
  eventBridge: undefined,
};

export interface EmulatedRun {
  readonly deliveries: readonly Delivery[];
  readonly faults: readonly AwsCall[];
  /** How many rows of events are compact. */
  readonly compactRows: number;
  /** What is still wrong once nothing changes any more. */
  readonly violations: readonly Violation[];
}

/** The workload of the simulation over HTTP through local mode, whose emulators fail for each seed. */
export async function runEmulated(
  seeds: readonly number[],
  { compactRows }: { readonly compactRows: boolean },
): Promise<EmulatedRun> {
  const recorder = createRecorder();
  const startedAt = Date.now();
  const pipeline = await startPipeline({
    ...{ port: 0, privateKey: privateKeys.live, sandboxKey: privateKeys.sandbox },
    settings: { heartbeat: 'false', compactRows: String(compactRows) },
    onLine: (stage, text) => recorder.addLine({ at: Date.now(), stage, text }),
    onProgress: () => {},
  });
  const bus = followBus(pipeline.baseUrl);
  const client = new DynamoDBClient({ endpoint: pipeline.endpoints.dynamodb, ...settings });
  try {
    const deliveries: Delivery[] = [];
    for (const seed of seeds) deliveries.push(...(await sendSeed(seed, pipeline, recorder)));
    const numbered = deliveries.map((delivery, number) => ({ ...delivery, number }));
    const look = async (): Promise<readonly Violation[]> => {
      await pipeline.runSchedules();
      const { eventsTableName, ordersTableName } = pipeline.resources;
      const finalReads = await readAll(pipeline.baseUrl, numbered);
      const tables = {
        events: await scanAll(client, eventsTableName),
        orders: await scanAll(client, ordersTableName),
      };
      const [failedFrom] = seeds;
      const times = { seed: failedFrom ?? 0, startedAt, faultsEndedAt: Date.now(), endedAt: Date.now() };
      return check({
        ...emptyHistory(pipeline, recorder),
        ...times,
        deliveries: numbered,
        finalReads,
        tables,
        bus: bus.messages,
      });
    };
    let violations = await look();
    for (let looks = 1; violations.length > 0 && looks < looksMax; looks += 1) {
      await pause(pauseMilliseconds);
      violations = await look();
    }
    const rows = await scanAll(client, pipeline.resources.eventsTableName);
    return { deliveries, faults: recorder.calls, violations, compactRows: rows.filter(isCompact).length };
  } finally {
    client.destroy();
    await bus.stop();
    await pipeline.stop();
  }
}

async function sendSeed(seed: number, pipeline: Pipeline, recorder: Recorder): Promise<Delivery[]> {
  const random = createRandom(`emulated ${seed}`);
  const services = Object.entries(faulty) as [keyof typeof faulty, string[] | undefined][];
  const ends = services.map(([service, operations]) =>
    pipeline.fail(service, {
      ...{ seed, rate: faultRate, slowMilliseconds: 200, ...(operations && { operations }) },
      onFault: ({ operation, kind }) => recorder.calls.push(callOf(operation, kind)),
    }),
  );
  const receiver: Receiver = {
    url: `${pipeline.baseUrl}/webhooks/payments`,
    signatureHeader: pipeline.resources.signatureHeader,
    keys: { current: (mode) => privateKeys[mode] },
  };
  const planned = planDeliveries(random.fork('deliveries'), recorder.count);
  const deliveries = await sendAll(planned, receiver, random.fork('senders'));
  // Faults go on while the functions work on what was sent.
  for (let looks = 0; looks < looksMax && !(await isQueueEmpty(pipeline)); looks += 1)
    await pause(pauseMilliseconds);
  for (const end of ends) end();
  return deliveries;
}

async function isQueueEmpty({ endpoints, resources }: Pipeline): Promise<boolean> {
  const client = new SQSClient({ endpoint: endpoints.sqs, ...settings });
  const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({
    QueueUrl: resources.eventQueueUrl,
    AttributeNames: [...counts],
  });
  const { Attributes = {} } = await client.send(command);
  client.destroy();
  return counts.every((name) => Attributes[name] === '0');
}

const callOf = (operation: string, fault: FaultKind): AwsCall => ({
  ...{ at: Date.now(), stage: '', instance: 0, operation, fault },
  isCommitted: !['throttle', 'error-500', 'error-503', 'reset-before'].includes(fault),
});

/** Nobody follows the list or acts here, and nothing expires. */
function emptyHistory({ resources }: Pipeline, recorder: Recorder) {
  const { metrics, logLines, calls } = recorder;
  const keys = (['live', 'sandbox'] as const).map((mode) => ({
    ...{ key: privateKeys[mode], mode, acceptedUntil: undefined },
  }));
  const runSettings = {
    ...{ eventRetentionDays: undefined, eventMeanings: {}, changesSettleSeconds: 30 },
    signatureHeader: resources.signatureHeader,
  };
  return {
    ...{ settings: runSettings, metrics, logLines, calls, secretValues: [{ at: 0, keys }] },
    ...{ operatorCalls: [], redrives: [], followers: [], heartbeats: [], invocations: [] },
    ...{ expiredRows: [], streamRecords: [], orderBytesMax: itemBytesMax, readAnewFrom: undefined },
    queues: { events: [], deadLetters: [], feedFailures: [] },
    counters: {},
  } satisfies Partial<History>;
}
