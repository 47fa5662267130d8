import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import {
  createPaymentServiceClient,
  defaultRetryPolicy,
  privateKeyAuthentication,
} from '../../src/client/index.ts';
import { closeServer, listenOnLoopback } from '../../src/simulator/http.ts';

export interface Received {
  readonly method: string;
  /** Path and query as they came, nothing decoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly signature: string | undefined;
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** In place of `json`. */
  readonly text?: string;
  /** `cut` closes the connection without a response, `hang` sends nothing, `stall` stops within the body. */
  readonly fault?: 'cut' | 'hang' | 'stall';
}

type Script = Scripted | ((request: Received) => Scripted | Promise<Scripted>);

/** A real HTTP server, which stops with the test. It follows one script after another, and repeats the last one. */
export async function startService(...scripts: Script[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request).catch(() => undefined);
    // A request that broke off before its end.
    if (body === undefined) return;
    const seen = { method, url, headers, body, signature: headers['x-service-signature']?.toString() };
    const script = scripts[Math.min(received.push(seen), scripts.length) - 1] ?? {};
    const { status = 200, fault, ...scripted } = typeof script === 'function' ? await script(seen) : script;
    if (fault === 'hang') return;
    if (fault === 'cut') return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json', ...scripted.headers });
    if (fault === 'stall') return void response.write('{"half":');
    response.end(scripted.text ?? (scripted.json === undefined ? '' : JSON.stringify(scripted.json)));
  });
  const baseUrl = await listenOnLoopback(server, 0);
  const stop = () => closeServer(server);
  onTestFinished(stop);
  return { baseUrl, stop, received };
}

export const privateKey = 'pri_3f2b9c1e77';

/** The default policy with pauses of a millisecond, and time for a busy machine. */
export const quickPolicy = {
  ...defaultRetryPolicy,
  ...{ attemptMillisecondsMax: 60_000, pauseMilliseconds: 1, pauseMillisecondsMax: 1 },
};

type ClientOptions = Partial<Parameters<typeof createPaymentServiceClient>[0]>;

export async function startClient(options: ClientOptions, ...scripts: Script[]) {
  const service = await startService(...scripts);
  const client = createPaymentServiceClient({
    baseUrl: service.baseUrl,
    authentication: privateKeyAuthentication(privateKey),
    policy: quickPolicy,
    ...options,
  });
  return { ...service, client };
}

/** A UUID that ends in the number. */
export const uuid = (number: number): string => `0b0e7a52-5a3c-4f6e-9d11-${String(number).padStart(12, '0')}`;

/** API document 2.1, as the service sends it. */
export const webhookJson = (number: number, change: Readonly<Record<string, unknown>> = {}) => ({
  object: 'v2.webhook',
  id: uuid(number),
  url: 'https://shop.example/webhooks/payments',
  is_live_mode: true,
  enabled_events: '["transaction.paid","transaction.refunded"]',
  created_at: '2026-11-02 09:15:00',
  ...change,
});

/** API document 2.2. */
export const pageJson = (data: readonly unknown[], change: Readonly<Record<string, unknown>> = {}) => ({
  object: 'v2.webhook',
  data,
  pagination: { current_page: 1, per_page: 10, total: data.length, last_page: 1, ...change },
});

/** API document 7. */
export const unauthenticated: Scripted = { status: 401, json: { message: 'Unauthenticated' } };

export const tokenJson = (number: number) => ({
  token_type: 'Bearer' as const,
  expires_in: 3600,
  access_token: `access-token-${number}`,
  refresh_token: `refresh-token-${number}`,
});
