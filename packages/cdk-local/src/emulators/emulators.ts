import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '../account.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startEventBridge } from './event-bridge.ts';
import type { ServiceFault } from './faults.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { startSqs } from './sqs.ts';

/** Where the emulators keep their state. */
export type EmulatorPaths = Readonly<Record<'dynamodb' | 'sqs' | 'secretsFile' | 'eventsFile', string>>;

export type Endpoints = Readonly<Record<'dynamodb' | 'sqs' | 'secretsManager' | 'eventBridge', string>>;

export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Starts all four, in memory or in `paths`. When one fails to start, none is left running. */
export async function startEmulators(paths?: EmulatorPaths) {
  const starting = [
    startDynamoDb(paths?.dynamodb),
    startSqs(paths?.sqs),
    startSecretsManager(paths?.secretsFile),
    startEventBridge(paths?.eventsFile),
  ] as const;
  const [dynamodb, sqs, secretsManager, eventBridge] = await Promise.all(starting).catch(
    async (error: unknown) => {
      const outcomes = await Promise.allSettled(starting);
      await Promise.all(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
      throw error;
    },
  );
  const endpoints = {
    dynamodb: dynamodb.endpoint,
    sqs: sqs.endpoint,
    secretsManager: secretsManager.endpoint,
    eventBridge: eventBridge.endpoint,
  };
  const clients = {
    dynamodb: new DynamoDB({ endpoint: endpoints.dynamodb, region, credentials }),
    sqs: new SQS({ endpoint: endpoints.sqs, region, credentials }),
    secretsManager: new SecretsManager({ endpoint: endpoints.secretsManager, region, credentials }),
  };
  return {
    ...{ endpoints, clients, eventBridge, secretsManager },
    /** Begins a fault of a service, and returns the function that ends it. */
    fail: (service: keyof Endpoints, fault: ServiceFault): (() => void) =>
      ({ dynamodb, sqs, secretsManager, eventBridge })[service].fail(fault),
    openStream: dynamodb.openStream,
    endPolls: sqs.endPolls,
    queueMetrics: sqs.metrics,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all([dynamodb, sqs, secretsManager, eventBridge].map((emulator) => emulator.close()));
    },
  };
}
