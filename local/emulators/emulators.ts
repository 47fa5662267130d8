import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { credentials, region } from './account.ts';
import { startDynamoDb } from './dynamodb.ts';
import { startSecretsManager } from './secrets-manager.ts';
import { startSqs } from './sqs.ts';

/** Where the emulators keep their state. */
export interface EmulatorPaths {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsFile: string;
}

export interface Endpoints {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsManager: string;
}

export interface AwsClients {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly secretsManager: SecretsManagerClient;
}

export interface Emulators {
  readonly endpoints: Endpoints;
  readonly clients: AwsClients;
  /** Answers every waiting receive of a queue now. */
  endPolls(): void;
  close(): Promise<void>;
}

/** Starts all three, in memory or in `paths`. When one fails to start, none is left running. */
export async function startEmulators(paths?: EmulatorPaths): Promise<Emulators> {
  const starting = [
    startDynamoDb(paths?.dynamodb),
    startSqs(paths?.sqs),
    startSecretsManager(paths?.secretsFile),
  ] as const;
  const [dynamodb, sqs, secretsManager] = await Promise.all(starting).catch(async (error: unknown) => {
    const outcomes = await Promise.allSettled(starting);
    await Promise.all(outcomes.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)));
    throw error;
  });
  const endpoints = {
    dynamodb: dynamodb.endpoint,
    sqs: sqs.endpoint,
    secretsManager: secretsManager.endpoint,
  };
  const clients = createClients(endpoints);
  return {
    endpoints,
    clients,
    endPolls: () => sqs.endPolls(),
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await Promise.all([dynamodb.close(), sqs.close(), secretsManager.close()]);
    },
  };
}

function createClients(endpoints: Endpoints): AwsClients {
  const base = { region, credentials };
  return {
    dynamodb: new DynamoDBClient({ ...base, endpoint: endpoints.dynamodb }),
    sqs: new SQSClient({ ...base, endpoint: endpoints.sqs }),
    secretsManager: new SecretsManagerClient({ ...base, endpoint: endpoints.secretsManager }),
  };
}
