import { createServer } from 'node:http';
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { closeServer, listen } from '@payhooks/cdk-local';
import { startSecretsManager } from '@payhooks/cdk-local/emulators';
import { onTestFinished } from 'vitest';
import {
  nothingWaits,
  type Operations,
  type OperationsResponse,
  respond,
  respondToOperation,
} from './operations-server.ts';

export interface LocalStackOptions {
  /** The text of the key secret; without it the secret has no value. */
  readonly keys?: string;
  /** The text of the token secret; `null` for one without a value, left out for a stack without one. */
  readonly token?: string | null;
  readonly outputs?: Readonly<Record<string, string>>;
  /** The address of SQS. */
  readonly sqs?: string;
  /** The address of DynamoDB. */
  readonly dynamodb?: string;
  /** The address of CloudWatch Logs. */
  readonly logs?: string;
  /** Further paths with the JSON that each returns, or what any other path returns. */
  readonly views?: Readonly<Record<string, unknown>> | ((url: string) => OperationsResponse);
  /** By default, nothing waits. */
  readonly operations?: Operations;
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** The part of local mode that commands use: `GET /stack`, and a real emulator of its secrets. */
export async function startLocalStack({ keys, token, outputs = {}, ...others }: LocalStackOptions = {}) {
  const secrets = await startSecretsManager();
  const client = new SecretsManagerClient({ region: 'us-east-1', endpoint: secrets.endpoint, credentials });
  const create = async (Name: string, SecretString: string | undefined): Promise<string> => {
    const { ARN = '' } = await client.send(
      new CreateSecretCommand({ Name, ...(SecretString && { SecretString }) }),
    );
    return ARN;
  };
  const KeySecretArn = await create('keys', keys);
  const TokenSecretArn = token === undefined ? undefined : await create('token', token ?? undefined);
  const stack = {
    stack: 'payhooks-local',
    outputs: {
      KeySecretArn,
      SignatureHeader: 'x-service-signature',
      ...(TokenSecretArn && { TokenSecretArn }),
      ...outputs,
    },
    endpoints: {
      secretsManager: secrets.endpoint,
      ...(others.sqs && { sqs: others.sqs }),
      ...(others.dynamodb && { dynamodb: others.dynamodb }),
      ...(others.logs && { logs: others.logs }),
    },
    region: 'us-east-1',
  };
  const { views = {} } = others;
  function viewOf(url: string): OperationsResponse {
    if (url === '/stack') return { body: stack };
    if (typeof views === 'function') return views(url);
    return url in views ? { body: views[url] } : { status: 404, body: { message: 'Not Found' } };
  }
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/operations/')) {
      return void respondToOperation(request, response, others.operations ?? nothingWaits);
    }
    respond(response, viewOf(url));
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    client.destroy();
    await closeServer(server);
    await secrets.close();
  });
  return {
    url,
    secrets,
    client,
    tokenSecretArn: TokenSecretArn ?? '',
    /** The current text of the secret with this name. */
    async secret(SecretId: 'keys' | 'token'): Promise<string | undefined> {
      return (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString;
    },
    async putSecret(SecretId: 'keys' | 'token', SecretString: string): Promise<void> {
      await client.send(new PutSecretValueCommand({ SecretId, SecretString }));
    },
  };
}
