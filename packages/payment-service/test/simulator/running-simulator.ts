import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listen } from '@payhooks/cdk-local';
import { onTestFinished } from 'vitest';
import { noRetries } from '../../src/simulator/delivery/retry-timing.ts';
import {
  createSimulator,
  type Simulator,
  type SimulatorOptions,
  type WebhookEvent,
} from '../../src/simulator/simulator.ts';

/** base64 of `pri_live:`, as a shell says. */
export const liveCredential = 'Basic cHJpX2xpdmU6';

/** Four attempts without a pause between them. */
export const quick = { ...noRetries, pausesMilliseconds: [0, 0, 0] };
export const anHour = 3_600_000;

const client = {
  clientId: 'shop',
  clientSecret: 'shop-secret',
  accessToken: 'first-access',
  refreshToken: 'first-refresh',
  scopes: ['view-webhooks'],
};
const otherClient = {
  ...client,
  clientId: 'other',
  accessToken: 'unscoped-access',
  refreshToken: 'other-refresh',
  scopes: ['create-webhooks'],
};

export const accounts = [
  {
    name: 'shop',
    privateKey: 'pri_live',
    sandboxKey: 'pri_sandbox_test',
    clients: [client, otherClient],
  },
  { name: 'inactive', privateKey: 'pri_inactive', active: false },
  { name: 'unverified', privateKey: 'pri_unverified', identityVerified: false },
];

export interface Ask {
  /** `null` sends none. */
  readonly authorization?: string | string[] | null;
  readonly accept?: string | null;
  readonly contentType?: string;
  /** Sent as it is, or as JSON when it is no text. */
  readonly body?: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

export type RunningSimulator = Simulator & {
  /** With the live key and `Accept: application/json`, unless told otherwise. */
  ask(call: string, options?: Ask): Promise<Answered>;
};

/** A simulator that stops with the test. Retries are quick unless a schedule is given. */
export async function runSimulator(options: Partial<SimulatorOptions> = {}): Promise<RunningSimulator> {
  const simulator = await createSimulator({ accounts, schedule: quick, ...options });
  onTestFinished(() => simulator.stop());
  return { ...simulator, ask: (call, asked) => ask(simulator.baseUrl, call, asked) };
}

/** `call` is a method and a path. Plain node:http, which adds no header of its own and mends no path. */
async function ask(baseUrl: string, call: string, options: Ask = {}): Promise<Answered> {
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
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const outgoing = request({ method, path, hostname, port, headers }, (response) => {
    const { statusCode: status = 0, headers: received } = response;
    text(response).then((said) => {
      const json: unknown = said === '' ? undefined : JSON.parse(said);
      resolve({ status, headers: received, text: said, json });
    }, reject);
  });
  outgoing.on('error', reject);
  outgoing.end(content);
  return promise;
}

export interface Received {
  readonly signature: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** Requests that came whole, in the order of their coming. */
  readonly received: Received[];
  /** Resolves when a request has broken off before its end. */
  readonly broken: Promise<void>;
}

/** An endpoint that answers with these statuses, one after another, the last one for ever. */
export async function runReceiver(...statuses: number[]): Promise<Receiver> {
  const received: Received[] = [];
  const broken = Promise.withResolvers<void>();
  const server = createServer(async (incoming, response) => {
    const body = await text(incoming).catch(() => undefined);
    if (body === undefined) {
      broken.resolve();
      return;
    }
    const signature = incoming.headers['x-service-signature'];
    received.push({ signature: signature?.toString(), headers: incoming.headers, body });
    response.statusCode = statuses[Math.min(received.length, statuses.length) - 1] ?? 202;
    response.end(`answer ${received.length}`);
  });
  const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
  onTestFinished(() => closeServer(server));
  return { url: `${baseUrl}/webhooks/payments`, received, broken: broken.promise };
}

/** An event whose bytes are known, so that its signatures can be made with openssl. */
export function event(id: string, change: Partial<WebhookEvent> = {}): WebhookEvent {
  return { id, event_name: 'transaction.paid', sandbox: false, payload: {}, ...change };
}

/** A webhook of the first account for paid transactions. */
export function paidWebhook(url: string, isLiveMode = true) {
  return { url, enabledEvents: ['transaction.paid'], isLiveMode };
}
