import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { verify } from '../../../lambdas/domain/signature.ts';
import { createHeartbeat, type HeartbeatParts } from '../../../lambdas/heartbeat/heartbeat.ts';
import { createPost, type Post } from '../../../lambdas/heartbeat/post.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const keyText = 'c0'.repeat(32);
const scheduled = { source: 'aws.scheduler', detail: {} };
const certificateText = JSON.stringify({
  certificate: '-----BEGIN CERTIFICATE-----\nc',
  private_key: '-----BEGIN PRIVATE KEY-----\nk',
});

const order_id = '2026-11-22T08:30:00.250Z id-1';
const sent = { level: 'notice', message: 'heartbeat sent', status: 202, order_id };

function setUp(parts: Partial<HeartbeatParts> = {}) {
  const telemetry = recordTelemetry();
  const post = vi.fn<Post>(async () => 202);
  const readKey = vi.fn(async () => keyText);
  const ids = Array.from({ length: 20 }, (_, index) => `id-${index + 1}`).values();
  const beat = createHeartbeat({
    webhookUrl: 'https://hooks.example/webhooks/payments',
    signatureHeader: 'x-service-signature',
    readKey,
    readCertificate: undefined,
    post,
    newId: () => `${ids.next().value}`,
    now: () => Date.parse('2026-11-22T08:30:00.250Z'),
    telemetry,
    ...parts,
  });
  const logged = () => telemetry.lines.map(({ level, message, fields }) => ({ level, message, ...fields }));
  return { beat, post, readKey, telemetry, logged };
}

describe('a heartbeat that is sent', () => {
  it('is a signed sandbox payment with the header of heartbeats, for the registered URL', async () => {
    const { beat, post, logged } = setUp();
    expect(await beat(scheduled)).toEqual({ status: 202, order_id, error: null });
    const [[url, delivery] = []] = post.mock.calls;
    expect(url).toBe('https://hooks.example/webhooks/payments');
    const body = Buffer.from(delivery?.body ?? []);
    expect(JSON.parse(body.toString())).toEqual({
      id: 'id-2',
      event_name: 'transaction.paid',
      sandbox: true,
      payload: {
        transaction: {
          id: 'id-3',
          amount: '0.01',
          status: 1,
          currency: 'USD',
          order_id: '2026-11-22T08:30:00.250Z id-1',
          created_at: '2026-11-22T08:30:00.250000Z',
        },
      },
    });
    const header = delivery?.headers['x-service-signature'] ?? '';
    expect(verify([parseHeartbeatKey(keyText)], { header, body, now: 0 }).ok).toBe(true);
    expect(delivery?.headers).toMatchObject({
      'payhooks-heartbeat': '1',
      'content-type': 'application/json',
      'content-length': String(body.length),
    });
    expect(delivery?.certificate).toBeUndefined();
    expect(logged()).toEqual([sent]);
  });

  it('reads its key once, and again after a refusal', async () => {
    const post = vi.fn<Post>().mockResolvedValueOnce(202).mockResolvedValueOnce(403).mockResolvedValue(202);
    const { beat, readKey, logged } = setUp({ post });
    const responses = [];
    for (let n = 0; n < 4; n += 1) responses.push((await beat(scheduled))?.status);
    expect(responses).toEqual([202, 403, 202, 202]);
    expect(readKey).toHaveBeenCalledTimes(2);
    expect(logged()[1]).toMatchObject({ level: 'error', message: 'heartbeat refused', status: 403 });
  });

  it('presents the client certificate of the stack', async () => {
    const { beat, post } = setUp({ readCertificate: async () => certificateText });
    await beat(scheduled);
    expect(post.mock.calls[0]?.[1].certificate).toEqual({
      cert: '-----BEGIN CERTIFICATE-----\nc',
      key: '-----BEGIN PRIVATE KEY-----\nk',
    });
  });

  it('is sent without a client certificate as long as none is stored, such as through a firewall', async () => {
    const refused = vi.fn().mockRejectedValueOnce(new SecretRefusedError('ResourceNotFoundException'));
    const { beat, post, logged } = setUp({ readCertificate: refused });
    await beat(scheduled);
    expect(post.mock.calls[0]?.[1].certificate).toBeUndefined();
    expect(logged()).toEqual([sent]);
  });

  it.each([
    ['must not be read', new SecretRefusedError('AccessDeniedException')],
    ['cannot be read', Object.assign(new Error('no DNS'), { code: 'ResourceNotFoundException' })],
  ])('is not sent when the client certificate %s', async (_, error) => {
    const { beat, post } = setUp({ readCertificate: () => Promise.reject(error) });
    await beat(scheduled);
    expect(post).not.toHaveBeenCalled();
  });

  const unresolved = Object.assign(new RangeError('getaddrinfo'), { code: 'ENOTFOUND' });
  const resolved = { error_name: 'RangeError', error_code: 'ENOTFOUND', error_message: 'getaddrinfo' };
  it.each([
    ['an error', unresolved, resolved],
    ['a thrown text', 'thrown', { error_name: 'unknown' }],
  ])('is logged with the reason when its delivery ends in %s', async (_, thrown, fields) => {
    const { beat, logged } = setUp({ post: () => Promise.reject(thrown) });
    const error = 'error_message' in fields ? fields.error_message : fields.error_name;
    expect(await beat(scheduled)).toEqual({ status: null, order_id: null, error });
    expect(logged()).toEqual([{ level: 'error', message: 'heartbeat not sent', ...fields }]);
  });

  it('is not sent with a malformed key or certificate, and no log line quotes either', async () => {
    for (const parts of [
      { readKey: async () => 'secret-key' },
      { readCertificate: async () => '{"certificate":"secret-cert","private_key":"secret-key"}' },
    ]) {
      const { beat, post, telemetry } = setUp(parts);
      await beat(scheduled);
      expect(post).not.toHaveBeenCalled();
      expect(telemetry.lines.map(({ message }) => message)).toEqual(['heartbeat not sent']);
      expect(JSON.stringify(telemetry.lines)).not.toMatch(/secret-(key|cert)/);
    }
  });
});

describe('a heartbeat that returns', () => {
  const returned = (order_id: string) => ({ source: 'payhooks.heartbeat', detail: { order_id } });

  it('is counted with its seconds from the delivery to the bus', async () => {
    const { beat, post, telemetry, logged } = setUp();
    const order_id = '2026-11-22T08:29:58.000Z id-3';
    expect(await beat(returned(order_id))).toBeUndefined();
    const returnedLine = { level: 'notice', message: 'heartbeat returned', order_id };
    expect(logged()).toEqual([{ ...returnedLine, seconds: 2.25 }]);
    expect(telemetry.measured).toEqual([{ metric: 'HeartbeatReturned', value: 2.25, unit: 'Seconds' }]);
    expect(telemetry.flushes()).toBe(1);
    expect(post).not.toHaveBeenCalled();
  });

  it.each([['order-1'], ['x2026-11-22T08:29:58.000Z id-3'], ['2026-11-22T08:29:58.000Z']])(
    'is not counted when its order id %j does not begin with a time',
    async (orderId) => {
      const { beat, telemetry, logged } = setUp();
      await beat(returned(orderId));
      expect(telemetry.measured).toEqual([]);
      expect(logged()).toEqual([{ level: 'error', message: 'heartbeat unreadable' }]);
    },
  );
});

describe('the delivery of a heartbeat', () => {
  async function startServer(respond: (request: IncomingMessage) => Promise<number | undefined>) {
    const server = createServer(async (request, response) => {
      const status = await respond(request);
      if (status !== undefined) response.writeHead(status, { location: '/elsewhere' }).end('{}');
    });
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }
  const delivery = { headers: { 'content-length': '2' }, body: Buffer.from('hi'), certificate: undefined };

  it('resolves with the status, and follows no redirect', async () => {
    const bodies: string[] = [];
    const url = await startServer(async (request) => {
      bodies.push(`${request.method} ${request.url} ${await text(request)}`);
      return 307;
    });
    expect(await createPost()(url, delivery)).toBe(307);
    expect(bodies).toEqual(['POST /hook hi']);
  });

  it('rejects when the name does not resolve', async () => {
    const post = createPost()('https://hooks.payhooks.invalid/', delivery);
    await expect(post).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) });
  });

  it('rejects when nothing responds in time', async () => {
    const url = await startServer(async () => undefined);
    await expect(createPost(50)(url, delivery)).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
