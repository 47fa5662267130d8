import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSigner } from '../../client/signer.ts';
import { createInspection } from '../acceptance/inspection.ts';
import { createQuestions, createSend, type Send } from '../acceptance/questions.ts';
import { type AcceptanceTarget, privateKey, sandboxKey } from '../acceptance/target.ts';
import { clientOptions, type Deployment } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** MiniStack starts a process for each request under way that no idle one can take. */
const requestsAtOnceMax = 8;

export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface DeployedPipeline extends AcceptanceTarget {
  readonly outputs: Deployment['outputs'];
  /** Asks the order query as somebody; unsigned when nobody is given. */
  getAs(identity: Identity | undefined, path: string): Promise<{ readonly status: number }>;
  messagesIn(queueUrl: string): Promise<number>;
  /** What the operator does once after the first deployment. */
  putPrivateKeys(): Promise<void>;
  close(): void;
}

/** A deployment, as its outputs describe it, and what a test asks of it. */
export function openPipeline(
  ministack: MiniStack,
  { outputs }: Deployment,
  { attemptsMax }: { readonly attemptsMax?: number } = {},
): DeployedPipeline {
  const options = clientOptions(ministack);
  const clients = {
    sqs: new SQSClient(options),
    dynamodb: new DynamoDBClient(options),
    secrets: new SecretsManagerClient(options),
  };
  const send = inTurns(requestsAtOnceMax, createLoopbackSend(ministack));
  const queryUrl = output(outputs, 'OrderQueryUrl');
  const signAs = (credentials: Identity) =>
    createSigner({ baseUrl: new URL(queryUrl), region: ministack.region, credentials });
  const authorise = signAs(options.credentials);
  return {
    outputs,
    ...createQuestions({
      webhookUrl: output(outputs, 'WebhookUrl'),
      queryUrl,
      send,
      authorise: (url) => authorise(url, {}),
      ...(attemptsMax !== undefined && { attemptsMax }),
    }),
    ...createInspection({
      ...clients,
      eventQueueUrl: output(outputs, 'EventQueueUrl'),
      deadLetterQueueUrl: output(outputs, 'DeadLetterQueueUrl'),
      eventsTableName: output(outputs, 'EventsTableName'),
    }),
    async getAs(identity, path) {
      const url = `${queryUrl}${path}`;
      return send(url, undefined, identity && (await signAs(identity)(new URL(url), {})));
    },
    async putPrivateKeys() {
      const keys = { private_keys: [{ key: privateKey }, { key: sandboxKey }] };
      const secret = { SecretId: output(outputs, 'KeySecretArn'), SecretString: JSON.stringify(keys) };
      await clients.secrets.send(new PutSecretValueCommand(secret));
    },
    close() {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

function output(outputs: Deployment['outputs'], name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new Error(`The deployment has no output ${name}.`);
  return value;
}

/** Names below `localhost` are loopback by RFC 6761, which not every resolver knows. */
function createLoopbackSend({ certificate }: MiniStack): Send {
  return createSend({
    ca: certificate.ca,
    lookup: (_, { all }, found) => {
      const address = '127.0.0.1';
      if (all) found(null, [{ address, family: 4 }]);
      else found(null, address, 4);
    },
  });
}

/** At most so many requests under way; the others wait for their turn. */
function inTurns(atOnceMax: number, send: Send): Send {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async (...request) => {
    if (underWay >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay += 1;
    try {
      return await send(...request);
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next();
    }
  };
}
