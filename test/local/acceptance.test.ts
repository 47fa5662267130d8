import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { createOrderClient } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveAcceptance } from '../acceptance/facts.ts';
import { createSend } from '../acceptance/pipeline.ts';
import { runPayhooks } from '../cli/payhooks-process.ts';
import { recordCalls } from '../doubles/call-recorder.ts';
import { readFeed } from './feed/feed-reader.ts';
import {
  eventually,
  privateKey,
  type RunningPipeline,
  runPipeline,
  sandboxKey,
} from './pipeline/running-pipeline.ts';
import { proveGrants } from './recorded-calls.ts';

const recorder = recordCalls();
const lines: string[] = [];
let pipeline: RunningPipeline;

beforeAll(async () => {
  pipeline = await runPipeline({ onLine: (_, line) => lines.push(line) });
});
afterAll(async () => {
  recorder.stop();
  await pipeline.stop();
});

// The later parts check the calls, orders and lines of the first, whose facts hold in any order.
describe('local mode', { shuffle: false }, () => {
  describe('a pipeline', { shuffle: true }, () => proveAcceptance(() => pipeline));
  proveGrants(recorder, () => pipeline);

  const client = () => createOrderClient({ baseUrl: pipeline.baseUrl, credentials: false });
  it('serves the order client an order, its events, and the bytes of one', async () => {
    const body = bytesOf(paidEvent({ orderId: 'read/by%2F?client', eventId: 'event of the client' }));
    await pipeline.post(body);
    await pipeline.settled();
    expect(await client().order('read/by%2F?client')).toMatchObject({ status: 'paid', mode: 'live' });
    const { events } = await client().orderEvents('read/by%2F?client');
    expect(events).toMatchObject([{ id: 'event of the client', outcome: 'applied' }]);
    const { body_base64 } = await client().event('event of the client');
    expect(Buffer.from(body_base64 ?? '', 'base64').equals(body)).toBe(true);
  });

  it('shows no order system and no operator anything of a heartbeat that has returned', async () => {
    await eventually(
      async () => (await pipeline.get('/heartbeat')).json['returned_at'],
      (at) => at !== null,
    );
    const start = 'heartbeat:order:';
    const { Items = [] } = await pipeline.clients.dynamodb.send(
      new ScanCommand({ TableName: pipeline.resources.ordersTableName }),
    );
    const key = Items.map((row) => row['order_key']?.S ?? '').find((found) => found.startsWith(start));
    const orderId = key?.slice(start.length) ?? '';
    // Its other ids are in the tables alone.
    expect(orderId).toMatch(/^\d{4}-\d\d-\d\dT.*Z [0-9a-f-]{36}$/);
    const { operations } = pipeline;
    expect((await operations.keys()).keys.map(({ mode }) => mode)).not.toContain('heartbeat');
    for (const mode of ['live', 'sandbox'] as const) {
      for (const path of ['', '/events']) {
        const { status } = await pipeline.get(`/orders/${encodeURIComponent(orderId)}${path}?mode=${mode}`);
        expect(status).toBe(404);
      }
      for await (const { order_id } of client().allOrders({ mode })) expect(order_id).not.toBe(orderId);
      const feed = await readFeed(pipeline.baseUrl, { lastEventId: '0', query: `?mode=${mode}` });
      await expect.poll(() => feed.events.length).toBeGreaterThan(0);
      expect(feed.events.map(({ detail }) => detail.order_id)).not.toContain(orderId);
      await feed.close();
      const replay = operations.replay({ mode, order_id: orderId, dry_run: true });
      await expect(replay).rejects.toMatchObject({ status: 404 });
    }
    expect(lines.join('\n')).toContain('"heartbeat returned"');
  });

  it('shows with payhooks smoke how a heartbeat goes through the whole stack', async () => {
    const { stdout } = await runPayhooks(['smoke', '--local', pipeline.baseUrl], {
      waits: { heartbeatReturnMilliseconds: 60_000 },
    });
    expect(stdout).toMatch(
      /^✓ heartbeat +sent 202 → queue → recorded → published → returned after \d+\.\d s$/m,
    );
    expect(stdout).toMatch(/^✓ foreign signature/m);
    expect(stdout).not.toContain('unsigned query');
  });

  it('proves with payhooks audit by its log that all acts are as they were written', async () => {
    const argv = ['audit', '--verify', '--json', '--local', pipeline.baseUrl];
    const { code, stdout } = await runPayhooks(argv);
    const { rows, findings } = JSON.parse(stdout);
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(rows).toBeGreaterThan(5);
  });

  it('shows its outputs and addresses at /stack, and no key, and nothing to the page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const refused = await createSend()(`${pipeline.baseUrl}/stack`, undefined, headers);
    expect([refused.status, refused.headers['cache-control']]).toEqual([403, 'no-store']);
    const { body, json } = await pipeline.get('/stack');
    expect(json).toMatchObject({
      stack: 'payhooks-local',
      outputs: {
        WebhookUrl: `${pipeline.baseUrl}/webhooks/payments`,
        KeySecretArn: pipeline.resources.keySecretId,
        PaymentServiceBaseUrl: pipeline.simulator.baseUrl,
      },
      endpoints: pipeline.endpoints,
      region: 'us-east-1',
      service_url: pipeline.simulator.baseUrl,
    });
    expect(body).not.toMatch(/pri_\w/);
  });

  it('counts at /series the webhooks of the last hour that were accepted, recorded and refused', async () => {
    const { accepted, recorded, refused } = (await pipeline.get('/series')).json as Record<string, unknown>;
    const sum = (values: unknown): number => (values as number[]).reduce((all, one) => all + one, 0);
    for (const counts of [accepted, recorded, (refused as Record<string, unknown>)['mismatch']])
      expect(sum(counts)).toBeGreaterThan(0);
  });

  it('shows with payhooks refused why a webhook was refused, its size and its address', async () => {
    await pipeline.post(Buffer.from('{"forged":true}'), { signature: 'a'.repeat(64) });
    const { stdout } = await runPayhooks(['refused', '--json', '--local', pipeline.baseUrl]);
    const groups = JSON.parse(stdout).groups as { reason: string }[];
    const address = { address: '127.0.0.1', accepted: true, bytes: expect.stringMatching(/\d/) };
    expect(groups).toContainEqual(
      expect.objectContaining({ reason: 'mismatch', addresses: [expect.objectContaining(address)] }),
    );
    expect(groups.map(({ reason }) => reason)).not.toContain('not_logged');
  });

  it('logs what its functions do, and no key, signature or body', async () => {
    // Every sample event has the customer Nobody Real.
    const body = bytesOf(paidEvent({ orderId: 'logged' }));
    await pipeline.post(body);
    await pipeline.order('logged');
    const all = lines.join('\n');
    for (const message of ['webhook refused', 'event handled', 'order change published'])
      expect(all).toContain(`"${message}"`);
    for (const secret of [privateKey, sandboxKey, pipeline.sign(body), 'Nobody Real'])
      expect(all).not.toContain(secret);
  });
});
