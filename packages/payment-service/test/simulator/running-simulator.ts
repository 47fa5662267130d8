import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { noRetries } from '../../src/simulator/index.ts';
import { createSimulator, type SimulatorOptions, type WebhookEvent } from '../../src/simulator/simulator.ts';
import { startService } from '../client/service.ts';

/** `printf pri_live: | base64`. */
export const liveCredential = 'Basic cHJpX2xpdmU6';

/** Four attempts without a pause between them. */
export const quick = { ...noRetries, pausesMilliseconds: [0, 0, 0] };
export const anHour = 3_600_000;

const secrets = { clientSecret: 'shop-secret', accessToken: 'first-access', refreshToken: 'first-refresh' };
const client = { ...secrets, clientId: 'shop', scopes: ['view-webhooks'] };
const tokens = { accessToken: 'unscoped-access', refreshToken: 'other-refresh' };
const otherClient = { ...client, ...tokens, clientId: 'other', scopes: ['create-webhooks'] };
const keys = { privateKey: 'pri_live', sandboxKey: 'pri_sandbox_test' };
export const shop = { name: 'shop', ...keys, clients: [client, otherClient] };

interface RequestOptions {
  /** `null` sends none. */
  readonly authorization?: string | string[] | null;
  readonly accept?: string | null;
  readonly contentType?: string;
  /** Sent as it is, or as JSON when it is no text. */
  readonly body?: unknown;
}

export type RunningSimulator = Awaited<ReturnType<typeof runSimulator>>;

/** A simulator that stops with the test. Retries are quick unless a schedule is given. */
export async function runSimulator(options: Partial<SimulatorOptions> = {}) {
  const simulator = await createSimulator({ account: shop, schedule: quick, ...options });
  onTestFinished(() => simulator.stop());
  const request = (call: string, given?: RequestOptions) => send(simulator.baseUrl, call, given);
  return { ...simulator, request };
}

/**
 * `call` is a method and a path; the live key and `Accept: application/json` are the defaults. node:http,
 * unlike fetch, adds no header and corrects no path.
 */
async function send(baseUrl: string, call: string, options: RequestOptions = {}) {
  const [method, path = '/'] = call.split(' ');
  const { authorization = liveCredential, accept = 'application/json', contentType, body } = options;
  const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const headers: Record<string, string | string[]> = {
    ...(authorization !== null && { authorization }),
    ...(accept !== null && { accept }),
    ...(content !== undefined && {
      'content-type': contentType ?? 'application/json',
      'content-length': String(Buffer.byteLength(content)),
    }),
  };
  const { hostname, port } = new URL(baseUrl);
  const outgoing = request({ method, path, hostname, port, headers }).end(content);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const received = await text(response);
  const json = received === '' ? undefined : JSON.parse(received);
  return { status: response.statusCode ?? 0, headers: response.headers, text: received, json };
}

/** An endpoint that responds with these statuses, one after another, and repeats the last one. */
export async function runReceiver(...statuses: number[]) {
  const headers = { location: '/elsewhere' };
  const scripts = statuses.map((status) => ({ status, headers, text: `response ${status}` }));
  const service = await startService(...scripts);
  return { ...service, url: `${service.baseUrl}/webhooks/payments` };
}

/** An event whose bytes are known, so that its signatures can be made with openssl. */
export function event(id: string, change: Partial<WebhookEvent> = {}): WebhookEvent {
  return { id, event_name: 'transaction.paid', sandbox: false, payload: {}, ...change };
}

/** A webhook of the first account for paid transactions. */
export function paidWebhook(url: string, isLiveMode = true) {
  return { url, enabledEvents: ['transaction.paid'], isLiveMode };
}

/** A simulator with one webhook for paid transactions, whose receiver responds with these statuses. */
export async function runWithReceiver(statuses: number[] = [202], options: Partial<SimulatorOptions> = {}) {
  const receiver = await runReceiver(...statuses);
  const simulator = await runSimulator(options);
  const webhook = simulator.registerWebhook(paidWebhook(receiver.url));
  return { ...simulator, ...receiver, simulator, webhook };
}
