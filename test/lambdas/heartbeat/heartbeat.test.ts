import { startService } from '@payhooks/payment-service/testing';
import { describe, expect, it, vi } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { verify } from '../../../lambdas/domain/signature.ts';
import { createHeartbeat, type HeartbeatParts } from '../../../lambdas/heartbeat/heartbeat.ts';
import { createPost, type Post } from '../../../lambdas/heartbeat/post.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const keyText = 'c0'.repeat(32);
const [cert, key] = ['-----BEGIN CERTIFICATE-----\nc', '-----BEGIN PRIVATE KEY-----\nk'];
const certificateText = JSON.stringify({ certificate: cert, private_key: key });

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
    expect(await beat()).toEqual({ status: 202, order_id, error: null });
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
    for (let n = 0; n < 4; n += 1) responses.push((await beat()).status);
    expect(responses).toEqual([202, 403, 202, 202]);
    expect(readKey).toHaveBeenCalledTimes(2);
    expect(logged()[1]).toMatchObject({ level: 'error', message: 'heartbeat refused', status: 403 });
  });

  it.each<[string, () => Promise<string>, object | undefined]>([
    ['presents the client certificate of the stack', async () => certificateText, { cert, key }],
    [
      'has no client certificate as long as none is stored, such as through a firewall',
      () => Promise.reject(new SecretRefusedError('ResourceNotFoundException')),
      undefined,
    ],
  ])('%s', async (_, readCertificate, certificate) => {
    const { beat, post, logged } = setUp({ readCertificate });
    await beat();
    expect(post.mock.calls[0]?.[1].certificate).toEqual(certificate);
    expect(logged()).toEqual([sent]);
  });

  const malformed = '{"certificate":"secret-cert","private_key":"secret-key"}';
  it.each<[string, Partial<HeartbeatParts>]>([
    ['key is malformed', { readKey: async () => 'secret-key' }],
    ['client certificate is malformed', { readCertificate: async () => malformed }],
    [
      'client certificate must not be read',
      { readCertificate: () => Promise.reject(new SecretRefusedError('AccessDeniedException')) },
    ],
    [
      'client certificate cannot be read',
      {
        readCertificate: () =>
          Promise.reject(Object.assign(new Error('no DNS'), { code: 'ResourceNotFoundException' })),
      },
    ],
  ])('is not sent when its %s, and no log line quotes either', async (_, parts) => {
    const { beat, post, telemetry } = setUp(parts);
    await beat();
    expect(post).not.toHaveBeenCalled();
    expect(telemetry.lines.map(({ message }) => message)).toEqual(['heartbeat not sent']);
    expect(JSON.stringify(telemetry.lines)).not.toMatch(/secret-(key|cert)/);
  });

  const unresolved = Object.assign(new RangeError('getaddrinfo'), { code: 'ENOTFOUND' });
  const resolved = { error_name: 'RangeError', error_code: 'ENOTFOUND', error_message: 'getaddrinfo' };
  it.each([
    ['an error', unresolved, resolved],
    ['a thrown text', 'thrown', { error_name: 'unknown' }],
  ])('is logged with the reason when its delivery ends in %s', async (_, thrown, fields) => {
    const { beat, logged } = setUp({ post: () => Promise.reject(thrown) });
    const error = 'error_message' in fields ? fields.error_message : fields.error_name;
    expect(await beat()).toEqual({ status: null, order_id: null, error });
    expect(logged()).toEqual([{ level: 'error', message: 'heartbeat not sent', ...fields }]);
  });
});

describe('the delivery of a heartbeat', () => {
  const delivery = { headers: { 'content-length': '2' }, body: Buffer.from('hi'), certificate: undefined };

  it('resolves with the status, and follows no redirect', async () => {
    const redirect = { status: 307, headers: { location: '/elsewhere' }, json: {} };
    const { baseUrl, received } = await startService(redirect);
    expect(await createPost()(`${baseUrl}/hook`, delivery)).toBe(307);
    expect(received).toMatchObject([{ method: 'POST', url: '/hook', body: 'hi' }]);
  });

  it.each([
    ['nothing responds in time', 'hang', { name: 'TimeoutError' }],
    ['the connection breaks', 'cut', { code: 'ECONNRESET' }],
  ] as const)('rejects when %s', async (_, fault, error) => {
    const { baseUrl } = await startService({ fault });
    await expect(createPost(200)(baseUrl, delivery)).rejects.toMatchObject(error);
  });
});
