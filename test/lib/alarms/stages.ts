import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createTables } from '../../../lambdas/aws/tables.ts';
import { createClassify } from '../../../lambdas/consumer/classify.ts';
import { createConsumer } from '../../../lambdas/consumer/consumer.ts';
import { readEventMeanings } from '../../../lambdas/contract/event-meanings.ts';
import { createHeartbeat } from '../../../lambdas/heartbeat/heartbeat.ts';
import type { Post } from '../../../lambdas/heartbeat/post.ts';
import { createOperations } from '../../../lambdas/operations/routes.ts';
import { createOrderFeed } from '../../../lambdas/order-feed/order-feed.ts';
import type { FeedEntry } from '../../../lambdas/order-feed/order-status-changed.ts';
import type { OrderRow } from '../../../lambdas/ports/rows.ts';
import { createAcceptedCount } from '../../../lambdas/verifier/accepted-count.ts';
import { createKeyRing, heartbeatKeys } from '../../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { createWaitingCount } from '../../../lambdas/waiting-count/waiting-count.ts';
import { orderQueryOver } from '../../doubles/order-query.ts';
import type { Synthesis } from '../synthesis.ts';
import { failing, observed } from './broken-ports.ts';
import type { createEventQueue } from './event-queue.ts';
import { telemetryOf } from './invocations.ts';

const heartbeatKey = 'e1'.repeat(32);
const keySecret = '{"private_keys":[{"key":"pri_live"},{"key":"pri_sandbox_test"}]}';

/** What is broken. */
export interface Faults {
  /** In place of the text of the key secret. */
  keySecret?: string | Error;
  /** SQS confirms no message. */
  queue?: Error;
  /** DynamoDB fails for the consumer, for the order query, for the index of what waits. */
  writes?: Error;
  reads?: Error;
  /** The response of every write of the consumer is lost: the write is done, and fails. */
  lostResponses?: Error;
  waiting?: Error;
  /** DynamoDB throttles every call of the consumer. */
  throttles?: boolean;
  /** The code with which EventBridge refuses every entry. */
  bus?: string;
  /** The name of the registered URL does not resolve. */
  dns?: Error;
}

interface StagesParts {
  readonly stack: Synthesis;
  readonly client: DynamoDBClient;
  readonly now: () => number;
  readonly faults: Faults;
  /** Receives what the stream of orders shows. */
  readonly onWrite: (before: OrderRow | undefined, after: OrderRow) => void;
  readonly queue: Pick<ReturnType<typeof createEventQueue>, 'enqueue' | 'postpone'>;
  /** Receives what the bus accepts. */
  readonly onBus: (entries: readonly FeedEntry[]) => Promise<void>;
  /** The registered URL. */
  readonly deliver: Post;
}

/** The stages as their `handler.ts` composes them, with the variables of the template. */
export function createStages(parts: StagesParts) {
  const { stack, client, now, faults, queue, onWrite, onBus } = parts;
  const meaningOf = readEventMeanings(stack.variablesOf('Consumer')['EVENT_MEANINGS'] as string | undefined);
  const classify = createClassify(meaningOf);
  const changesSettleSeconds = Number(stack.variablesOf('OrderFeed')['CHANGES_SETTLE_SECONDS']);
  const tables = createTables(client, { events: 'events', orders: 'orders' });
  const { store, keyUses } = tables;
  const consumerTelemetry = telemetryOf(stack, 'Consumer');
  const refusal = (): Error | undefined => {
    if (!faults.throttles) return faults.writes;
    // As the handler of the consumer has its client report it.
    consumerTelemetry.count('TablesThrottled');
    return Object.assign(new Error('Throttled'), { name: 'ProvisionedThroughputExceededException' });
  };
  const failingWrites = <Port extends object>(port: Port): Port =>
    failing(port, refusal, () => faults.lostResponses);
  const waiting = failing(tables.waiting, () => faults.waiting);
  const orders = failing(tables.orders, () => faults.reads);
  const reader = { ...tables, orders, waiting };
  return {
    verifier: createVerifierOf({ stack, now, faults, queue }),
    consumer: createConsumer({
      store: failingWrites({
        ...store,
        ...observed(store, tables.orders, onWrite),
      }),
      keyUses: failingWrites(keyUses),
      eventRetentionDays: undefined,
      now: () => new Date(now()),
      classify,
      postpone: queue.postpone,
      telemetry: consumerTelemetry,
    }),
    feed: createOrderFeed({
      bus: {
        async put(entries) {
          if (faults.bus === undefined) await onBus(entries);
          return entries.map(() => faults.bus);
        },
      },
      pause: async () => {},
      changesSettleSeconds,
      sequenceBase: 0,
      telemetry: telemetryOf(stack, 'OrderFeed'),
    }),
    query: orderQueryOver({ reader, now, changesSettleSeconds, telemetry: telemetryOf(stack, 'OrderQuery') }),
    operations: createOperations({
      ...tables,
      ...{ waiting, meaningOf, classify, meaningsId: '', eventRetentionDays: undefined },
      now: () => new Date(now()),
      telemetry: telemetryOf(stack, 'Operations'),
    }),
    heartbeat: createHeartbeat({
      webhookUrl: String(stack.variablesOf('Heartbeat')['WEBHOOK_URL']),
      signatureHeader: String(stack.variablesOf('Heartbeat')['SIGNATURE_HEADER']),
      readKey: async () => heartbeatKey,
      readCertificate: undefined,
      post: async (url, delivery) => {
        if (faults.dns !== undefined) throw faults.dns;
        return parts.deliver(url, delivery);
      },
      newId: () => crypto.randomUUID(),
      now,
      telemetry: telemetryOf(stack, 'Heartbeat'),
    }),
    waitingCount: createWaitingCount({ waiting, now, telemetry: telemetryOf(stack, 'WaitingCount') }),
  };
}

function createVerifierOf({
  stack,
  now,
  faults,
  queue,
}: Pick<StagesParts, 'stack' | 'now' | 'faults' | 'queue'>) {
  const telemetry = telemetryOf(stack, 'Verifier');
  const readSecret = async (): Promise<string> => {
    if (faults.keySecret instanceof Error) throw faults.keySecret;
    return faults.keySecret ?? keySecret;
  };
  return createVerifier({
    signatureHeader: String(stack.variablesOf('Verifier')['SIGNATURE_HEADER']),
    keys: createKeyRing({ readSecret, now, telemetry }),
    heartbeatKeys: createKeyRing({
      ...{ readSecret: async () => heartbeatKey, source: heartbeatKeys, now, telemetry },
    }),
    countAccepted: stack.variablesOf('Verifier')['COUNT_ACCEPTED']
      ? createAcceptedCount({ now, telemetry })
      : undefined,
    enqueue: async (message) => {
      if (faults.queue !== undefined) throw faults.queue;
      await queue.enqueue(message);
    },
    now,
    telemetry,
  });
}
