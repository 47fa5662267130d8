import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { CreatedStack } from '@payhooks/cdk-local';

export type Clients = ReturnType<typeof createClients>;

/** Clients of the stack's services on this machine. */
export function createClients({ clientSettings }: Pick<CreatedStack, 'clientSettings'>) {
  return {
    sqs: new SQSClient(clientSettings('sqs')),
    dynamodb: new DynamoDBClient(clientSettings('dynamodb')),
    secretsManager: new SecretsManagerClient(clientSettings('secretsManager')),
    lambda: new LambdaClient(clientSettings('lambda')),
    logs: new CloudWatchLogsClient(clientSettings('logs')),
  };
}
