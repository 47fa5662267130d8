import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';

export interface DynamoDbRequest {
  /** Such as `GetItem`. */
  readonly operation: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the request that it expects.
  readonly input: any;
}

/** `silence`: no response at all · `hang up`: the connection is closed without one. */
export type DynamoDbResponse = { readonly status: number; readonly body: object } | 'silence' | 'hang up';

export const success = (body: object): DynamoDbResponse => ({ status: 200, body });
export const failure = (status: number, name: string, more: object = {}): DynamoDbResponse => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more },
});

/**
 * A client of a server that responds to each request, counted from 0, as the test says: for faults and
 * responses that the embedded database never gives.
 */
export async function startDynamoDbServer(
  respond: (request: DynamoDbRequest, count: number) => DynamoDbResponse,
) {
  const requests: DynamoDbRequest[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const received = { operation, input: JSON.parse(Buffer.concat(chunks).toString()) };
    const given = respond(received, requests.push(received) - 1);
    if (given === 'hang up') response.destroy();
    if (typeof given === 'string') return;
    response.writeHead(given.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(given.body));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    requestHandler: { requestTimeout: 30_000, throwOnRequestTimeout: true },
    maxAttempts: 3,
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { client, requests, connections: () => connections };
}
