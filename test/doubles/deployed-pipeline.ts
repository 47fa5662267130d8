import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';
import { createKeyRing } from '../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../lambdas/verifier/verifier.ts';
import { consumerOver } from './consumer.ts';
import { gatewayEvent } from './gateway-event.ts';
import { createMemoryTables } from './memory-store.ts';
import { orderQueryOver, readerOf } from './order-query.ts';
import { sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

interface Response {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/** What goes wrong in the pipeline while it is set. */
export interface PipelineFaults {
  /** The response to every post, in place of the verifier's. */
  webhook?: Response;
  /** The response to a post that the verifier refuses, in place of the verifier's. */
  refusal?: (signature: string | undefined) => Response;
  /** Whether the order query accepts a request with this authorization header. */
  authorises?: (authorization: string | undefined) => boolean;
}

/**
 * The functions of a stack at one address, over tables in memory. Its order query refuses a request without
 * authorization, as API Gateway does, and verifies none.
 */
export async function startDeployedPipeline(readSecret: () => Promise<string>) {
  const faults: PipelineFaults = {};
  const { verifier, query } = createFunctions(readSecret);
  /** The status of the response to each post. */
  const posted: number[] = [];

  const respondToPost = async (request: IncomingMessage): Promise<Response> => {
    const body = await buffer(request);
    if (faults.webhook !== undefined) return faults.webhook;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const event = { routeKey: 'POST /webhooks/payments', headers, body: body.toString() };
    const { statusCode: status = 0, body: text } = await verifier(gatewayEvent(event));
    if (status === 403 && faults.refusal) return faults.refusal(headers['x-service-signature']);
    return { status, text: String(text) };
  };

  const respondToGet = async ({ headers, url = '' }: IncomingMessage): Promise<Response> => {
    const authorises = faults.authorises ?? ((authorization) => authorization !== undefined);
    if (!authorises(headers.authorization)) return { status: 403, text: '{"message":"Forbidden"}' };
    const { pathname, searchParams } = new URL(url, 'http://stack.example');
    const [, kind = '', id = '', history] = pathname.split('/');
    const name = kind === 'orders' ? 'order_id' : 'event_id';
    const response = await query(
      gatewayEvent({
        routeKey: `GET /${kind}/{${name}}${history === undefined ? '' : `/${history}`}`,
        pathParameters: { [name]: decodeURIComponent(id) },
        queryStringParameters: Object.fromEntries(searchParams),
      }),
    );
    const { statusCode: status = 0, headers: given, body } = response;
    return { status, type: String(given?.['content-type']), text: String(body) };
  };

  const server = createServer(async (request, response) => {
    const isPost = request.method === 'POST';
    const {
      status,
      type = 'application/json',
      text,
    } = await (isPost ? respondToPost : respondToGet)(request);
    if (isPost) posted.push(status);
    response.writeHead(status, { 'content-type': type, connection: 'close' }).end(text);
  });
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url, faults, posted };
}

function createFunctions(readSecret: () => Promise<string>) {
  const telemetry = recordTelemetry();
  const tables = createMemoryTables();
  const consumer = consumerOver(tables.open().store, { now: () => new Date(), telemetry });
  // New for every request, so that a key is known as soon as it is in the secret.
  const keyRing = () => createKeyRing({ readSecret, now: Date.now, telemetry });
  const verifier = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: { current: () => keyRing().current(), reread: () => keyRing().current() },
    enqueue: async ({ body, mode }) => {
      await consumer(sqsEvent({ body, mode }));
    },
    now: Date.now,
    telemetry,
  });
  return { verifier, query: orderQueryOver({ reader: readerOf(tables) }) };
}
