import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDynamoDb } from '../../../lambdas/aws/dynamodb.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

beforeEach(() => {
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  // The SDK waits for a random part of a time that grows.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
const refused = (name: string, status = 400): Scripted => ({ status, json: { __type: name } });
const throttled = refused('ProvisionedThroughputExceededException');
const done: Scripted = { json: { Item: { id: { S: '1' } } } };

/** A read from a DynamoDB that responds with these, and the metrics of the function. */
async function read(responses: Scripted[], options: { readonly counts?: boolean } = {}) {
  const { baseUrl } = await startService(...responses);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', baseUrl);
  const telemetry = recordTelemetry();
  const client = options.counts === false ? createDynamoDb() : createDynamoDb(telemetry);
  const outcome = await client.send(new GetItemCommand({ TableName: 't', Key: { id: { S: '1' } } })).then(
    ({ Item }) => Item?.['id']?.S,
    (error: Error) => error.name,
  );
  return { outcome, metrics: telemetry.metrics };
}

describe('the client of DynamoDB', () => {
  const name = 'TablesThrottled';
  it.each<[string, Scripted[], unknown, string[]]>([
    [
      'counts each throttled attempt of a call that succeeds',
      [throttled, throttled, done],
      '1',
      [name, name],
    ],
    [
      'counts each attempt of a call that is throttled for good, and throws the error',
      [throttled],
      'ProvisionedThroughputExceededException',
      [name, name, name],
    ],
    ['counts nothing when no attempt is throttled', [refused('InternalServerError', 500), done], '1', []],
    ['counts no other error', [refused('ValidationException')], 'ValidationException', []],
  ])('%s', async (_, responses, outcome, metrics) => {
    expect(await read(responses)).toEqual({ outcome, metrics });
  });

  it('works without metrics', async () => {
    expect(await read([throttled, done], { counts: false })).toEqual({ outcome: '1', metrics: [] });
  });
});
