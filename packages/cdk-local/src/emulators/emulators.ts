import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '../account.ts';
import { startCloudWatchLogs } from './cloudwatch-logs.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startEventBridge } from './event-bridge.ts';
import type { ServiceFault } from './faults.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { startSqs } from './sqs.ts';

/** Where the emulators keep their state. */
export type EmulatorPaths = Readonly<Record<'dynamodb' | 'sqs' | 'secretsFile' | 'eventsFile', string>>;

/** The services that have an emulator each. */
const services = ['dynamodb', 'sqs', 'secretsManager', 'eventBridge', 'logs'] as const;
type Service = (typeof services)[number];

export type Endpoints = Readonly<Record<Service, string>>;

export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Starts all of them, in memory or in `paths`. When one fails to start, none is left running. */
export async function startEmulators(paths?: EmulatorPaths) {
  const starting = [
    startDynamoDb(paths?.dynamodb),
    startSqs(paths?.sqs),
    startSecretsManager(paths?.secretsFile),
    startEventBridge(paths?.eventsFile),
    startCloudWatchLogs(),
  ] as const;
  const [dynamodb, sqs, secretsManager, eventBridge, logs] = await Promise.all(starting).catch(
    async (error: unknown) => {
      const outcomes = await Promise.allSettled(starting);
      await Promise.all(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
      throw error;
    },
  );
  const all = { dynamodb, sqs, secretsManager, eventBridge, logs };
  const endpoints = Object.fromEntries(services.map((name) => [name, all[name].endpoint])) as Endpoints;
  const clients = {
    dynamodb: new DynamoDB({ endpoint: endpoints.dynamodb, region, credentials }),
    sqs: new SQS({ endpoint: endpoints.sqs, region, credentials }),
    secretsManager: new SecretsManager({ endpoint: endpoints.secretsManager, region, credentials }),
  };
  return {
    ...{ endpoints, clients, eventBridge, logs, secretsManager },
    /** Begins a fault of a service, and returns the function that ends it. */
    fail: (service: Service, fault: ServiceFault): (() => void) => all[service].fail(fault),
    openStream: dynamodb.openStream,
    streamAt: dynamodb.streamAt,
    endPolls: sqs.endPolls,
    queueMetrics: sqs.metrics,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all(services.map((name) => all[name].close()));
    },
  };
}
