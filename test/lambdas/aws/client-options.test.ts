import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { boundCalls, clientOptions } from '../../../lambdas/aws/client-options.ts';
import { awsClientOptions } from '../../../operator/aws/client-options.ts';

const throttled: Scripted = {
  status: 400,
  headers: { 'retry-after': '3600' },
  json: { __type: 'com.amazonaws.dynamodb#ThrottlingException' },
};

/** Calls a service that responds with the script, for 20 seconds at most. */
async function call(script: Scripted, timeouts?: { readonly requestTimeout: number }) {
  const { baseUrl, received } = await startService(script);
  const client = boundCalls(
    new DynamoDBClient({
      ...clientOptions,
      requestHandler: { ...clientOptions.requestHandler, ...timeouts },
      endpoint: baseUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    }),
    20_000,
  );
  onTestFinished(() => client.destroy());
  const Key = { order_key: { S: 'live:order:1' } };
  const response = client.send(new GetItemCommand({ TableName: 'orders', Key }));
  return { response, received };
}

describe('a call of AWS', () => {
  it.each<[string, Scripted]>([
    ['never gets a response', { fault: 'hang' }],
    ['gets only a part of a response', { fault: 'stall' }],
    ['is throttled for seconds', throttled],
  ])('that %s ends in time', async (_, script) => {
    const time = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    const { response, received } = await call(script);
    response.catch(() => undefined);
    await expect.poll(() => received).toHaveLength(1);
    time.abort(new DOMException('The time is up.', 'TimeoutError'));
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(20_000);
    expect(received).toHaveLength(1);
  });

  it('without a response in time is made again, and does not use up the time of all attempts', async () => {
    const { response } = await call({ fault: 'hang' }, { requestTimeout: 20 });
    // Not those that have reached the service in 20 ms.
    const $metadata = { attempts: clientOptions.maxAttempts };
    await expect(response).rejects.toMatchObject({ name: 'TimeoutError', $metadata });
  });
});

it('a call of the command line without a response in time is made again, and fails at last', async () => {
  const { baseUrl, received } = await startService({ fault: 'hang' });
  const client = new DynamoDBClient({
    ...awsClientOptions,
    requestHandler: { ...awsClientOptions.requestHandler, requestTimeout: 200 },
    endpoint: baseUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  });
  onTestFinished(() => client.destroy());
  const Key = { order_key: { S: 'live:order:1' } };
  const response = client.send(new GetItemCommand({ TableName: 'orders', Key }), {
    abortSignal: AbortSignal.timeout(20_000),
  });
  await expect(response).rejects.toMatchObject({ name: 'TimeoutError', $metadata: { attempts: 3 } });
  expect(received.length).toBeLessThanOrEqual(3);
});
