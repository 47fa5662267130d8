import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { credentials, region } from '../account.ts';
import { type DynamoDbEmulator, startDynamoDb } from './dynamodb.ts';
import { type EventBridgeEmulator, startEventBridge } from './event-bridge.ts';
import { type SecretsManagerEmulator, startSecretsManager } from './secrets-manager.ts';
import { startSqs } from './sqs.ts';

/** Where the emulators keep their state. */
export interface EmulatorPaths {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsFile: string;
  readonly eventsFile: string;
}

export interface Endpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsManager: string;
  readonly eventBridge: string;
}

export interface Emulators {
  readonly endpoints: Endpoints;
  readonly clients: {
    readonly dynamodb: DynamoDB;
    readonly sqs: SQS;
    readonly secretsManager: SecretsManager;
  };
  readonly openStream: DynamoDbEmulator['openStream'];
  readonly eventBridge: Pick<EventBridgeEmulator, 'events' | 'createBus'>;
  readonly secretsManager: Pick<SecretsManagerEmulator, 'rotateWith'>;
  /** Ends every waiting receive of a queue now. */
  endPolls(): void;
  close(): Promise<void>;
}

/** Starts all four, in memory or in `paths`. When one fails to start, none is left running. */
export async function startEmulators(paths?: EmulatorPaths): Promise<Emulators> {
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
  const clients = {
    dynamodb: new DynamoDB({ endpoint: dynamodb.endpoint, region, credentials }),
    sqs: new SQS({ endpoint: sqs.endpoint, region, credentials }),
    secretsManager: new SecretsManager({ endpoint: secretsManager.endpoint, region, credentials }),
  };
  return {
    endpoints: {
      dynamodb: dynamodb.endpoint,
      sqs: sqs.endpoint,
      secretsManager: secretsManager.endpoint,
      eventBridge: eventBridge.endpoint,
    },
    clients,
    openStream: dynamodb.openStream,
    eventBridge,
    secretsManager,
    endPolls: sqs.endPolls,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all([dynamodb, sqs, secretsManager, eventBridge].map((emulator) => emulator.close()));
    },
  };
}
