import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '../account.ts';
import { startCloudFormation } from './cloudformation.ts';
import { startCloudWatchLogs } from './cloudwatch-logs.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startEventBridge } from './event-bridge.ts';
import type { ServiceFault } from './faults.ts';
import { startLambda } from './lambda.ts';
import { startScheduler } from './scheduler.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { startSqs } from './sqs.ts';

export type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** The address of each service. */
export type Endpoints = Emulators['endpoints'];

/** Starts all of them, in memory or in `directory`. When one fails to start, none is left running. */
export async function startEmulators(directory?: string, clock?: () => number) {
  const pathOf = (name: string): string | undefined => directory && join(directory, name);
  const starting = {
    dynamodb: startDynamoDb(pathOf('dynamodb'), clock),
    sqs: startSqs(pathOf('sqs'), clock),
    secretsManager: startSecretsManager(pathOf('secrets.json')),
    eventBridge: startEventBridge(pathOf('event-bridge.db')),
    cloudFormation: startCloudFormation(),
    lambda: startLambda(),
    logs: startCloudWatchLogs(),
    scheduler: startScheduler(),
  };
  await Promise.all(Object.values(starting)).catch(async (error: unknown) => {
    const outcomes = await Promise.allSettled(Object.values(starting));
    await Promise.all(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    throw error;
  });
  type Service = keyof typeof starting;
  const waiting = Object.entries(starting).map(async ([name, one]) => [name, await one] as const);
  const entries = await Promise.all(waiting);
  const all = Object.fromEntries(entries) as { [name in Service]: Awaited<(typeof starting)[name]> };
  const addresses = entries.map(([name, { endpoint }]) => [name, endpoint]);
  const endpoints = Object.fromEntries(addresses) as Readonly<Record<Service, string>>;
  const clients = {
    dynamodb: new DynamoDB({ endpoint: endpoints.dynamodb, region, credentials }),
    sqs: new SQS({ endpoint: endpoints.sqs, region, credentials }),
    secretsManager: new SecretsManager({ endpoint: endpoints.secretsManager, region, credentials }),
  };
  return {
    ...{ endpoints, clients, ...all },
    /** Begins a fault of a service, and returns the function that ends it. */
    fail: (service: Service, fault: ServiceFault): (() => void) => all[service].fail(fault),
    streamAt: all.dynamodb.streamAt,
    endPolls: all.sqs.endPolls,
    queueMetrics: all.sqs.metrics,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all(entries.map(([, one]) => one.close()));
    },
  };
}
