import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Scripted, startService } from '@payhooks/payment-service/testing';
import { onTestFinished } from 'vitest';

export const success = (json: object): Scripted => ({ json });
export const failure = (status: number, name: string, more: object = {}): Scripted => ({
  status,
  json: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more },
});

/**
 * A client of a server that responds to the input of each request, counted from 0, as the test says: for
 * faults and responses that the embedded database never gives.
 */
export async function startDynamoDbServer(
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the request that it expects.
  respond: (input: any, count: number) => Scripted,
) {
  const inputs: Parameters<typeof respond>[0][] = [];
  const { baseUrl } = await startService(({ body }) => {
    const input = JSON.parse(body);
    return respond(input, inputs.push(input) - 1);
  });
  const client = new DynamoDBClient({
    endpoint: baseUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
    maxAttempts: 3,
  });
  onTestFinished(() => client.destroy());
  return { client, inputs };
}
