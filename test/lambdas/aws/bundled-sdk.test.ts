import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import type * as Sdk from '@aws-sdk/client-dynamodb';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { clientOptions } from '../../../lambdas/aws/client-options.ts';
import { repeatConflicts } from '../../../lambdas/aws/dynamodb.ts';
import { leanBundleOptions } from '../../../lib/lean-bundle.ts';

/** The client of DynamoDB as the functions have it. */
function bundledSdk(): typeof Sdk {
  const contents = "export { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';";
  const stdin = { contents, resolveDir: import.meta.dirname };
  const [{ text = '' } = {}] = buildSync({ ...leanBundleOptions(), stdin, write: false }).outputFiles;
  const module = { exports: {} };
  compileFunction(text, ['module', 'require'])(module, createRequire(import.meta.url));
  return module.exports as typeof Sdk;
}

const { DynamoDBClient, PutItemCommand } = bundledSdk();
const [conflict, condition] = ['TransactionConflictException', 'ConditionalCheckFailedException'].map(
  (__type): Scripted => ({ status: 400, json: { __type } }),
) as [Scripted, Scripted];
const done: Scripted = { json: {} };

it.each<[string, readonly Scripted[], outcome: string, attempts: number]>([
  ['repeats a write that met transactions on its item', [conflict, conflict, done], 'done', 3],
  ['gives up after three that met transactions', [conflict], 'TransactionConflictException', 3],
  ['repeats no write whose condition is not met', [condition, done], 'ConditionalCheckFailedException', 1],
])('the bundled client of DynamoDB %s', async (_, responses, outcome, attempts) => {
  const { baseUrl, received } = await startService(...responses);
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
  const options = { ...clientOptions, endpoint: baseUrl, region: 'eu-central-1', credentials };
  const write = new PutItemCommand({ TableName: 'events', Item: { event_key: { S: 'live:event:1' } } });
  const sent = repeatConflicts(new DynamoDBClient(options)).send(write);
  expect(
    await sent.then(
      () => 'done',
      ({ name }) => name,
    ),
  ).toBe(outcome);
  expect(received).toHaveLength(attempts);
});
