import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen, passesAsText } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';
import { createConsumer } from '../../lambdas/consumer/consumer.ts';
import { createKeyRing } from '../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from './gateway-event.ts';
import { memoryStores } from './memory-stores.ts';
import { orderQueryOver } from './order-query.ts';
import { sqsEvent } from './sqs-event.ts';
import { recordTelemetry } from './telemetry.ts';

/** What goes wrong in the pipeline while it is set. */
export interface PipelineFaults {
  /** Answers everything that is posted, in place of the verifier. */
  webhook?: { readonly status: number; readonly body: string };
  /** What the verifier refuses is accepted. */
  acceptsForgeries?: true;
  /** What API Gateway hands on at most; above it answers 500 and quotes what it was sent. */
  gatewayBytesMax?: number;
  /** So many webhooks are refused before the verifier has read its keys. */
  forgetful?: number;
  /** The posts that another copy of the verifier refuses, which has not read its keys; the first is 1. */
  refusedPosts?: readonly number[];
  /** A refusal tells what is wrong with the signature. */
  tellsWhy?: true;
  /** The order query asks nobody for a signature. */
  isOpen?: true;
  /** The order query refuses everybody, as who lacks the permission to invoke it. */
  isClosed?: true;
  /** Changes each answer of the order query. */
  answer?: (body: Record<string, unknown>, count: number) => Record<string, unknown>;
  /** The order query knows no modes. */
  mixesModes?: true;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

/**
 * The functions of a stack behind one address, over tables in memory. Its order query refuses who sends no
 * authorization, as a route of API Gateway does, and checks none.
 */
export async function startDeployedPipeline(readSecret: () => Promise<string>) {
  const telemetry = recordTelemetry();
  const stores = memoryStores();
  const faults: PipelineFaults = {};
  const consumer = createConsumer({
    events: stores.writer,
    orders: stores.writer,
    eventRetentionDays: undefined,
    now: () => new Date(),
    telemetry,
  });
  const verifier = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: freshKeyRing(readSecret),
    enqueue: async ({ body, mode }) => {
      await consumer(sqsEvent({ body, mode }));
    },
    now: Date.now,
    telemetry,
  });
  const query = orderQueryOver({ reader: stores.reader });
  let answers = 0;
  /** What was answered to each post. */
  const posted: number[] = [];
  const refusal = (signature: string | undefined, text: string) =>
    faults.acceptsForgeries
      ? { status: 202, text: '{"status":"accepted"}' }
      : { status: 403, text: faults.tellsWhy && signature !== undefined ? '{"message":"Wrong key"}' : text };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { status, type = 'application/json', text } = await answer(request, body);
    if (request.method === 'POST') posted.push(status);
    response.writeHead(status, { 'content-type': type, connection: 'close' }).end(text);
  });
  const answer = async (request: IncomingMessage, body: Buffer): Promise<Answer> => {
    const url = new URL(request.url ?? '', 'http://stack.example');
    if (request.method === 'POST') {
      if (faults.webhook !== undefined) return { status: faults.webhook.status, text: faults.webhook.body };
      if (body.length > (faults.gatewayBytesMax ?? body.length)) {
        const quoted = { message: 'Internal Server Error', headers: request.headers };
        return { status: 500, text: JSON.stringify(quoted) };
      }
      if (faults.refusedPosts?.includes(posted.length + 1)) {
        return { status: 403, text: '{"message":"Invalid signature"}' };
      }
      if (faults.forgetful !== undefined && faults.forgetful > 0) {
        faults.forgetful -= 1;
        return { status: 403, text: '{"message":"Invalid signature"}' };
      }
      const isText = passesAsText(request.headers['content-type']);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(',')]),
      );
      const delivered = {
        body: body.toString(isText ? 'utf8' : 'base64'),
        isBase64Encoded: !isText,
        headers,
      };
      const answered = await verifier(gatewayEvent({ routeKey: 'POST /webhooks/payments', ...delivered }));
      if (answered.statusCode === 403) return refusal(headers['x-service-signature'], String(answered.body));
      return { status: answered.statusCode ?? 0, text: String(answered.body) };
    }
    if (faults.isClosed || (request.headers.authorization === undefined && !faults.isOpen)) {
      return { status: 403, text: '{"message":"Forbidden"}' };
    }
    // Not of the URL, which has no `..` left in it.
    const [, kind = '', id = ''] = (request.url ?? '').replace(/\?.*/, '').split('/');
    const name = kind === 'orders' ? 'order_id' : 'event_id';
    const answered = await query(
      gatewayEvent({
        routeKey: `GET /${kind}/{${name}}`,
        pathParameters: { [name]: decodeURIComponent(id) },
        queryStringParameters: faults.mixesModes ? { mode: 'sandbox' } : Object.fromEntries(url.searchParams),
      }),
    );
    const type = String(answered.headers?.['content-type']);
    answers += 1;
    const told = faults.answer?.(JSON.parse(String(answered.body)), answers);
    const text = told === undefined ? String(answered.body) : JSON.stringify(told);
    return { status: answered.statusCode ?? 0, type, text };
  };
  const url = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url, faults, telemetry, posted };
}

/** One that never cools down: a key that was put in is known at once. */
function freshKeyRing(readSecret: () => Promise<string>) {
  const ring = () => createKeyRing({ readSecret, now: Date.now, telemetry: recordTelemetry() });
  return { current: () => ring().current(), reread: () => ring().current() };
}
