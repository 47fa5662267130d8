import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as eventbridge from '@aws-sdk/client-eventbridge';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import type { HttpRequest } from '@smithy/core/protocols';
import { build } from 'esbuild';
import { leanAwsSdk } from '../src/index.ts';

export const whole = { ...dynamodb, ...eventbridge, ...secrets, ...sqs };
export type Sdk = typeof whole;
export type ClientName = `${'DynamoDB' | 'EventBridge' | 'SQS' | 'SecretsManager'}Client`;
export type Call = (sdk: Sdk, options: object) => Promise<unknown>;
type CommandName = Extract<keyof Sdk, `${string}Command`>;

/** The same clients as a bundle has them. */
export async function bundleLean(): Promise<Sdk> {
  const clients = ['dynamodb', 'eventbridge', 'secrets-manager', 'sqs'];
  const contents = clients.map((name) => `export * from '@aws-sdk/client-${name}';`).join('\n');
  const { outputFiles } = await build({
    ...{ bundle: true, platform: 'node', format: 'cjs', mainFields: ['module', 'main'], write: false },
    ...{ plugins: [leanAwsSdk()], supported: { 'dynamic-import': false } },
    stdin: { contents, resolveDir: import.meta.dirname },
  });
  const module = { exports: {} };
  compileFunction(outputFiles[0]?.text ?? '', ['module', 'require'])(module, createRequire(import.meta.url));
  return module.exports as Sdk;
}

export const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };

/** Sends a command twice, by one client with these options besides those of the test. */
export const sending =
  (client: ClientName, name: CommandName, input: object, more: object = {}): Call =>
  async (sdk, options) => {
    const Command = sdk[name] as new (given: object) => object;
    const sender = new sdk[client]({ ...options, ...more }) as {
      send(command: object, options: object): Promise<unknown>;
    };
    const sendOnce = () => sender.send(new Command(input), options);
    return [await sendOnce(), await sendOnce()];
  };

/** What a call sends to a service with these responses, and what it makes of them. */
export async function observe(sdk: Sdk, call: Call, responses: readonly Scripted[], more: object = {}) {
  const { baseUrl, received } = await startService(...responses);
  const options = { endpoint: baseUrl, region: 'eu-central-1', credentials, ...more };
  const outcome = await call(sdk, options).catch((error) => ({ ...error, text: `${error}` }));
  return { outcome, received };
}

/** Where a call would go. */
export async function addressOf(call: Call, sdk: Sdk, options: object): Promise<string> {
  const requestHandler = {
    metadata: {},
    async handle({ protocol, hostname, path }: HttpRequest) {
      throw Object.assign(new Error('not sent'), { address: `${protocol}//${hostname}${path}` });
    },
  };
  const sent = call(sdk, { credentials, maxAttempts: 1, ...options, requestHandler });
  return sent.then(String, (error) => error.address ?? error.message);
}
