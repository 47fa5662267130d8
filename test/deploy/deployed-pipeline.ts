import { Agent } from 'node:https';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createOperationsClient } from '@payhooks/order-client';
import {
  createInspection,
  createRequests,
  createSend,
  privateKey,
  sandboxKey,
} from '../acceptance/pipeline.ts';
import { createSigner, type Identity } from './aws-calls.ts';
import { clientOptions, type Deployment } from './deployment.ts';
// The addresses of APIs end in `.localhost`.
import './loopback-names.mjs';
import type { MiniStack } from './ministack.ts';

/** MiniStack starts a process for each request under way that no idle one can take. */
const requestsAtOnceMax = 8;

export type DeployedPipeline = ReturnType<typeof openPipeline>;

/** A deployment, as its outputs describe it, and what a test does with it. */
export function openPipeline(ministack: MiniStack, { outputs }: Deployment) {
  const options = clientOptions(ministack);
  const clients = {
    sqs: new SQSClient(options),
    dynamodb: new DynamoDBClient(options),
    secrets: new SecretsManagerClient(options),
  };
  const agent = new Agent({ ca: ministack.certificate.ca, maxTotalSockets: requestsAtOnceMax });
  const send = createSend({ agent });
  const queryUrl = output(outputs, 'OrderQueryUrl');
  const signAs = (credentials?: Identity) =>
    createSigner(ministack, { service: 'execute-api', ...(credentials && { credentials }) });
  return {
    ...createRequests({
      webhookUrl: output(outputs, 'WebhookUrl'),
      queryUrl,
      send,
      authorise: signAs(),
    }),
    ...createInspection({
      ...clients,
      eventQueueUrl: output(outputs, 'EventQueueUrl'),
      deadLetterQueueUrl: output(outputs, 'DeadLetterQueueUrl'),
      eventsTableName: output(outputs, 'EventsTableName'),
    }),
    operations: createOperationsClient({
      baseUrl: output(outputs, 'OperationsUrl'),
      region: ministack.region,
      credentials: options.credentials,
      fetch: createFetch(send),
    }),
    /** Calls the order query as another identity; unsigned without one. */
    async getAs(identity: Identity | undefined, path: string) {
      const url = `${queryUrl}${path}`;
      return send(url, undefined, identity && (await signAs(identity)(new URL(url))));
    },
    /** What the operator does once after the first deployment. */
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

/** MiniStack's certificate is known to no other `fetch`. */
function createFetch(send: ReturnType<typeof createSend>) {
  return async (request: Request): Promise<Response> => {
    const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : undefined;
    const {
      status,
      headers,
      body: text,
    } = await send(request.url, body, Object.fromEntries(request.headers));
    return new Response(text, { status, headers: { 'content-type': String(headers['content-type']) } });
  };
}

function output(outputs: Deployment['outputs'], name: string): string {
  const value = outputs[name];
  if (value === undefined) throw new Error(`The deployment has no output ${name}.`);
  return value;
}
