import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import * as eventbridge from '@aws-sdk/client-eventbridge';
import * as secrets from '@aws-sdk/client-secrets-manager';
import * as sqs from '@aws-sdk/client-sqs';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import type { HttpRequest } from '@smithy/core/protocols';
import { build } from 'esbuild';
import { clientOptions } from '../../lambdas/aws/client-options.ts';
import { leanBundleOptions } from '../../lib/lean-bundle.ts';

export const installed = { ...dynamodb, ...eventbridge, ...secrets, ...sqs };
export type Sdk = typeof installed;
export const clientNames = [
  ...(['DynamoDBClient', 'SQSClient', 'SecretsManagerClient', 'EventBridgeClient'] as const),
];
export type ClientName = (typeof clientNames)[number];

export type BundledSdk = Awaited<ReturnType<typeof bundleSdk>>;

/** The SDK as the bundles have it, with the parts that replace some of it. */
export async function bundleSdk() {
  const folder = mkdtempSync(join(tmpdir(), 'payhooks-sdk-'));
  const clients = ['dynamodb', 'eventbridge', 'secrets-manager', 'sqs'];
  const contents = clients.map((name) => `export * from '@aws-sdk/client-${name}';`).join('\n');
  const file = join(folder, 'sdk.cjs');
  const stdin = { contents, resolveDir: join(import.meta.dirname, '..', '..') };
  const { metafile } = await build({ ...leanBundleOptions, stdin, outfile: file, metafile: true });
  return {
    sdk: createRequire(import.meta.url)(file) as Sdk,
    file,
    /** The files that are in it. */
    modules: Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs)),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };

export type Received = Awaited<ReturnType<typeof startService>>['received'][number];
export type Call = (sdk: Sdk, options: object) => Promise<unknown>;

type CommandName = Extract<keyof Sdk, `${string}Command`>;
type Input<Name extends CommandName> = ConstructorParameters<Sdk[Name]>[0];

/** Sends one command, with options of the client that differ from those of the functions. */
export const sending =
  <Name extends CommandName>(client: ClientName, name: Name, input: Input<Name>, more: object = {}): Call =>
  (sdk, options) => {
    const sender: AnyClient = new sdk[client]({ ...options, ...more });
    return sender.send(new (sdk[name] as new (given: object) => object)(input as object) as never);
  };

/** What a call sends to a service with these responses, and what it makes of them. */
export async function observe(sdk: Sdk, call: Call, responses: readonly Scripted[]) {
  const { baseUrl, received } = await startService(...responses);
  const options = { ...clientOptions, endpoint: baseUrl, region: 'eu-central-1', credentials };
  const outcome = await call(sdk, options).catch((error: Error) => ({ ...error, name: error.name }));
  return { outcome, received };
}

export interface AnyClient {
  send(command: never): Promise<unknown>;
  readonly middlewareStack: { add(middleware: never, options: never): void };
}

/** Where a client would send a command. */
export async function addressOf(client: AnyClient, command: object): Promise<string> {
  let seen: HttpRequest | undefined;
  const look = () => async (given: { request: HttpRequest }) => {
    seen = given.request;
    throw new Error('not sent');
  };
  client.middlewareStack.add(look as never, { step: 'finalizeRequest', priority: 'low' } as never);
  await client.send(command as never).catch(() => {});
  if (seen === undefined) throw new Error('The client made no request.');
  const { protocol, hostname, path } = seen;
  return `${protocol}//${hostname}${path}`;
}
