import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { classify } from '../../lambdas/consumer/classify.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';
import { createSigningKey, type Mode, verify } from '../../lambdas/domain/signature.ts';
import type { LiveLog } from '../../local/live-log/live-log.ts';

export const privateKey = 'pri_fake_pipeline';
export const sandboxKey = 'pri_sandbox_fake_pipeline';

export interface FakePipeline extends AsyncDisposable {
  readonly baseUrl: string;
  /** Each request as `POST /webhooks/payments 202`. */
  readonly requests: string[];
}

interface Options {
  readonly liveLog?: LiveLog;
  /** Takes requests first; what it does not handle goes to the pipeline. */
  readonly front?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Whether accepted events are handled at all. */
  readonly handles?: boolean;
}

interface Stores {
  readonly facts: Map<string, string[]>;
  readonly events: Map<string, unknown>;
}

/**
 * The pipeline's outside on a real local server, in memory: routes, answers and log lines, on the real
 * domain code.
 */
export async function startFakePipeline({
  liveLog,
  front,
  handles = true,
}: Options = {}): Promise<FakePipeline> {
  const keys = [privateKey, sandboxKey].map((key) => createSigningKey(key));
  const stores: Stores = { facts: new Map(), events: new Map() };
  const requests: string[] = [];
  const log = (stage: string, fields: Record<string, unknown>): void =>
    liveLog?.onLine(stage, JSON.stringify({ level: 'INFO', timestamp: new Date().toISOString(), ...fields }));

  const receive = (body: Buffer, header: string | undefined): number => {
    const verdict = verify(keys, { header, body, now: Date.now() });
    const request_id = randomUUID();
    if (!verdict.ok) {
      log('verifier', { message: 'webhook refused', request_id, status: 403, reason: verdict.reason });
      return 403;
    }
    const { mode, id: key_id } = verdict.key;
    log('verifier', { message: 'webhook accepted', request_id, mode, key_id, bytes: body.length });
    const handled = { message: 'event handled', request_id, mode };
    if (handles) setImmediate(() => log('consumer', { ...handled, ...handle(stores, body, mode) }));
    return 202;
  };

  const server = createServer(async (request, response) => {
    if (front?.(request, response)) return;
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const header = request.headers['x-service-signature'];
    const view = request.method === 'GET' ? find(stores, pathname, searchParams.get('mode') ?? 'live') : {};
    response.statusCode =
      request.method === 'POST'
        ? receive(Buffer.concat(body), header?.toString())
        : view === undefined
          ? 404
          : 200;
    requests.push(`${request.method} ${request.url} ${response.statusCode}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(view ?? { title: 'Not Found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the consumer does, and the fields of its log line. */
function handle(stores: Stores, body: Buffer, mode: Mode): Record<string, unknown> {
  const body_sha256 = createHash('sha256').update(body).digest('hex');
  const classification = classify({ body, mode });
  if (classification.kind === 'unrecognised') {
    return { outcome: 'unrecognised', reason: classification.reason, body_sha256 };
  }
  const { id, eventName: event_name } = classification.event;
  const reason = 'reason' in classification ? classification.reason : null;
  const order_id = classification.kind === 'applied' ? classification.orderId : null;
  const duplicate = stores.events.has(`${mode}:${id}`);
  const outcome = duplicate ? 'duplicate' : classification.kind;
  stores.events.set(`${mode}:${id}`, {
    id,
    event_name,
    order_id,
    mode,
    outcome: classification.kind,
    reason,
    body_sha256,
  });
  const fields = { event_id: id, event_name, outcome, reason, body_sha256 };
  if (classification.kind !== 'applied') return fields;
  const key = `${mode}:${classification.orderId}`;
  const facts = [...new Set([...(stores.facts.get(key) ?? []), classification.fact])];
  stores.facts.set(key, facts);
  return { ...fields, order_id: classification.orderId, order_status: foldOrder(facts).status };
}

function find(stores: Stores, path: string, mode: string): unknown {
  const [, kind, encodedId = ''] = path.split('/');
  const id = decodeURIComponent(encodedId);
  if (kind === 'events') return stores.events.get(`${mode}:${id}`);
  const facts = stores.facts.get(`${mode}:${id}`);
  return facts && { order_id: id, mode, ...foldOrder(facts), updated_at: '2026-11-02T09:31:02.000Z' };
}
