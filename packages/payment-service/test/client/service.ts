import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import {
  createPaymentServiceClient,
  type PaymentServiceOptions,
  privateKeyAuthentication,
} from '../../src/client/index.ts';

export interface Received {
  readonly method: string;
  /** Path and query as they came, nothing decoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** In place of `json`, exactly as it is. */
  readonly text?: string;
  /** `cut` closes the connection without an answer, `hang` sends nothing, `stall` stops within the body. */
  readonly fault?: 'cut' | 'hang' | 'stall';
}

type Script = Scripted | ((request: Received) => Scripted | Promise<Scripted>);

/** A real HTTP server on loopback. It answers one script after another, the last one for ever. */
export async function startService(...scripts: Script[]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const seen = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
    const script = scripts[Math.min(received.push(seen), scripts.length) - 1] ?? {};
    const answer = typeof script === 'function' ? await script(seen) : script;
    if (answer.fault === 'hang') return;
    if (answer.fault === 'cut') return void response.destroy();
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    if (answer.fault === 'stall') return void response.write('{"half":');
    response.end(answer.text ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(stop);
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, stop };
}

export const privateKey = 'pri_3f2b9c1e77';

/** A client of that service that records its pauses in place of sleeping. */
export async function startClient(options: Partial<PaymentServiceOptions>, ...scripts: Script[]) {
  const service = await startService(...scripts);
  const pauses: number[] = [];
  const client = createPaymentServiceClient({
    baseUrl: service.baseUrl,
    authentication: privateKeyAuthentication(privateKey),
    sleep: async (milliseconds) => void pauses.push(milliseconds),
    random: () => 0,
    ...options,
  });
  return { ...service, client, pauses };
}

/** Ids of the right form; the number shows at their end. */
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
  token_type: 'Bearer',
  expires_in: 3600,
  access_token: `access-token-${number}`,
  refresh_token: `refresh-token-${number}`,
});
