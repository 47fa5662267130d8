import { sealSecretDigits } from '../../lambdas/contract/seal.ts';
import { createAws } from './aws/aws.ts';
import { createDynamoDb } from './aws/dynamodb/dynamodb.ts';
import { createFaults } from './aws/faults.ts';
import { createGateway } from './aws/gateway.ts';
import { createQueue } from './aws/queue.ts';
import { startQueueMapping } from './aws/queue-mapping.ts';
import { createBusOperations, createSecretOperations } from './aws/services.ts';
import { createSqsOperations } from './aws/sqs.ts';
import { startStreamMapping } from './aws/stream-mapping.ts';
import { createClock } from './clock.ts';
import {
  functionModels,
  keySecretArn,
  proof,
  proofSecretArn,
  queueUrl,
  sealSecretArn,
  visibilitySeconds,
} from './function-models.ts';
import type { Row } from './history.ts';
import { type Bundles, stages } from './lambda/bundles.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import { createKills } from './lambda/kills.ts';
import { bundlesOf, itemBytesMax, type Plan, startedAt, variablesOf, versionAt } from './plan.ts';
import type { Random } from './random.ts';
import { createRecorder } from './recorder.ts';

export interface WorldParts {
  readonly plan: Plan;
  readonly bundles: Bundles;
  readonly random: Random;
  readonly onLine?: ((line: string) => void) | undefined;
}

/** What the feed publishes of an order. */
interface PublishedState {
  readonly status: string;
  readonly attention: readonly string[];
}

/** Its three keys; no run is longer than a rotation. */
const sealSecret = '0123456789abcdef'.repeat(sealSecretDigits / 16);

export type World = ReturnType<typeof createWorld>;

const streamBatchRecordsMax = 10;
const queueBatchRecordsMax = 10;
const consumersMax = 3;

/** The deployed stack of one run: functions, queues, tables, bus and APIs in virtual time. */
export function createWorld({ plan, bundles, random, onLine }: WorldParts) {
  const clock = createClock(startedAt);
  const recorder = createRecorder(clock, onLine);
  const secret = { text: '' };
  let isFaulty = plan.faultRate > 0;
  const { faultRate, killRate, outages } = plan;
  const faults = createFaults({ clock, random: random.fork('faults'), rate: faultRate, outages });
  const kills = createKills({
    ...{ random: random.fork('kills'), rate: killRate },
    kill: (instance) => functions.kill(instance),
  });

  const queueOf = (name: string, more: object) =>
    createQueue({ clock, random: random.fork(name), visibilitySeconds, ...more });
  const deadLetters = queueOf('dead letters', {});
  const feedFailures = queueOf('feed failures', {});
  const events = queueOf('events', { deadLetters, receivesMax: plan.receivesMax, duplicateChance: 0.02 });

  const onStored: ((row: Row) => void)[] = [];
  const dynamoDb = createDynamoDb({
    clock,
    random: random.fork('dynamodb'),
    itemBytesMax: { events: itemBytesMax, orders: plan.orderBytesMax },
    onWrite(write) {
      const { table, before, after } = write;
      if (table === 'orders') feed.add(write);
      else if (before === undefined) for (const listener of onStored) listener(after ?? {});
      else if (after) recorder.eventChanges.push({ at: clock.now(), before, after });
    },
    onExpired(table, row) {
      recorder.expiredRows.push({ at: clock.now(), table, row });
      recorder.count('expired_rows');
    },
  });

  const aws = createAws({
    clock,
    random: random.fork('aws'),
    faults,
    kills,
    services: {
      DynamoDB_20120810: dynamoDb.operations,
      AmazonSQS: createSqsOperations({ [queueUrl]: events }),
      secretsmanager: createSecretOperations({
        [keySecretArn]: () => secret.text,
        [proofSecretArn]: () => proof,
        [sealSecretArn]: () => sealSecret,
      }),
      AWSEvents: createBusOperations({
        clock,
        random: random.fork('bus'),
        onMessage(message) {
          recorder.bus.push(message);
          const { current } = JSON.parse(message.detail) as { readonly current: PublishedState };
          for (const name of [current.status, ...current.attention]) recorder.count(`published_${name}`);
        },
      }),
    },
    onCall(instance, call, digest) {
      const { stage } = instance;
      recorder.calls.push({ ...call, stage, instance: instance.number });
      const { operation, fault = '-', isCommitted } = call;
      recorder.count('calls');
      if (fault !== '-') recorder.count(`fault_${fault}`);
      if (fault !== '-' && isCommitted) recorder.count(`lost_response_${stage}`);
      recorder.trace(
        `${stage}#${instance.number} ${operation} ${fault} ${isCommitted ? 'done' : 'not done'} ${digest}`,
      );
    },
  });

  const skewRandom = random.fork('skew');
  const versionRandom = random.fork('version');
  const functions: Functions = createFunctions({
    bundles: bundlesOf(plan, bundles),
    variablesOf: (version) => variablesOf(plan, version),
    models: functionModels(plan.settings),
    clock,
    random: random.fork('functions'),
    versionOf: (stage) => versionAt(plan, { stage, now: clock.now(), random: versionRandom }),
    skewOf: () => skewRandom.integer(-plan.skewMillisecondsMax, plan.skewMillisecondsMax),
    aws,
    onLine: ({ stage }, text) => recorder.addLine(stage, text),
    onStart: ({ number, stage, version, skewMilliseconds }) =>
      recorder.trace(`${stage}#${number} starts, ${version}, skew ${skewMilliseconds}`),
    onInvoke: (instance) => kills.plan(instance),
    onReturn: (instance) => kills.isDue(instance, 'returned'),
    onEnd(record) {
      recorder.invocations.push(record);
      recorder.count(`code_${record.version}`);
      recorder.count(`${record.end}_${record.stage}`);
      recorder.trace(`${record.stage}#${record.instance} ${record.end}`);
    },
  });

  const { deployment } = plan;
  if (deployment !== undefined) {
    // From then on instances start in either version.
    clock.after(deployment.from - startedAt, () => stages.forEach(functions.retireIdle));
    clock.after(deployment.until - startedAt, () => functions.endVersion('old'));
  }
  const gateway = createGateway({ clock, random: random.fork('gateway'), functions });
  const { count } = recorder;
  startQueueMapping({
    ...{ clock, functions, queue: events, random: random.fork('queue mapping') },
    ...{ batchRecordsMax: queueBatchRecordsMax, concurrencyMax: consumersMax },
  });
  const feed = startStreamMapping({
    ...{ clock, functions, count, failures: feedFailures, random: random.fork('stream mapping') },
    ...{ lanes: plan.feedLanes, batchRecordsMax: streamBatchRecordsMax },
    windowMilliseconds: plan.feedWindowMilliseconds,
    recordAgeSecondsMax: plan.feedRecordAgeSecondsMax,
    onRecord: ({ dynamodb: { SequenceNumber: sequenceNumber, OldImage: before, NewImage: after } }) =>
      recorder.streamRecords.push({ at: clock.now(), sequenceNumber, before, after }),
  });
  return {
    ...{ clock, recorder, secret, functions, dynamoDb, feed, plan, gateway },
    queues: { events, deadLetters, feedFailures },
    /** Sees every new row of events. */
    onStored: (listener: (row: Row) => void): void => void onStored.push(listener),
    hasFaults: (): boolean => isFaulty,
    /** From now on things fail, or nothing does. */
    allowFaults(isAllowed: boolean): void {
      isFaulty = isAllowed && plan.faultRate > 0;
      faults.allow(isAllowed);
      kills.allow(isAllowed);
    },
  };
}
