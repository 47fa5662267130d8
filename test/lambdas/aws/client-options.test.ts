import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { boundCalls, clientOptions } from '../../../lambdas/aws/client-options.ts';
import { awsClientOptions } from '../../../operator/aws/client-options.ts';

const throttled: Scripted = {
  status: 400,
  headers: { 'retry-after': '3600' },
  json: { __type: 'com.amazonaws.dynamodb#ThrottlingException' },
};

/** A client of a service that responds with the script, and one call of it. */
async function setUp(script: Scripted, options: typeof clientOptions | typeof awsClientOptions) {
  const { baseUrl, received } = await startService(script);
  const client = new DynamoDBClient({
    ...options,
    endpoint: baseUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  onTestFinished(() => client.destroy());
  const get = new GetItemCommand({ TableName: 'orders', Key: { order_key: { S: 'live:order:1' } } });
  return { client, get, received };
}

it.each<[string, Scripted]>([
  ['never gets a response', { fault: 'hang' }],
  ['gets only a part of a response', { fault: 'stall' }],
  ['is throttled for seconds', throttled],
])('a call of AWS that %s ends in time', async (_, script) => {
  const time = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
  const { client, get, received } = await setUp(script, clientOptions);
  const response = boundCalls(client, 20_000).send(get);
  response.catch(() => undefined);
  await expect.poll(() => received).toHaveLength(1);
  time.abort(new DOMException('The time is up.', 'TimeoutError'));
  await expect(response).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(timeout).toHaveBeenCalledExactlyOnceWith(20_000);
  expect(received).toHaveLength(1);
});

it.each([
  ['a function', clientOptions],
  ['the command line', awsClientOptions],
])('a call of %s without a response in time is made again, and fails at last', async (_, options) => {
  const requestHandler = { ...options.requestHandler, requestTimeout: 20 };
  const { client, get } = await setUp({ fault: 'hang' }, { ...options, requestHandler } as typeof options);
  // Not those that have reached the service in 20 ms.
  const failed = { name: 'TimeoutError', $metadata: { attempts: 3 } };
  await expect(client.send(get)).rejects.toMatchObject(failed);
});
