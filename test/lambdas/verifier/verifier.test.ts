import { describe, expect, it, vi } from 'vitest';
import type { QueueMessage } from '../../../lambdas/contract/queue-message.ts';
import { createSigningKey, type SigningKey, sign } from '../../../lambdas/domain/signature.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const live = createSigningKey('pri_test_key');
const rotated = createSigningKey('pri_rotated_key');
const sandbox = createSigningKey('pri_sandbox_test_key');
const body = Buffer.from('{"id":"evt-1","name":"é\\u0000😀\uffff"}');
// openssl dgst -sha256 -hmac pri_test_key
const openssl = '5519f3882f928d3c9c2906038cd5833ab57b9b9d6ce40e5119c844990db5cec9';
const bytes = (count: number): Buffer => Buffer.alloc(count, 'a');

interface Webhook {
  readonly body?: Buffer;
  /** An empty text sends no header. */
  readonly signature?: string;
  readonly base64?: boolean;
}

function setUp(keys: readonly SigningKey[] = [live, sandbox], rereadKeys = keys) {
  const enqueue = vi.fn(async (_: QueueMessage) => {});
  const keyRing = {
    current: vi.fn(async () => ({ keys, isCertain: true })),
    reread: vi.fn(async () => ({ keys: rereadKeys, isCertain: true })),
  };
  const telemetry = recordTelemetry();
  const verifyWebhook = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: keyRing,
    enqueue,
    now: () => Date.parse('2026-11-21T10:00:00.000Z'),
    telemetry,
  });
  const post = ({ body: sent = body, signature = sign(live, sent), base64 = false }: Webhook = {}) =>
    verifyWebhook(
      gatewayEvent({
        routeKey: 'POST /webhooks/payments',
        headers: signature === '' ? {} : { 'x-service-signature': signature },
        isBase64Encoded: base64,
        ...(sent.length === 0 ? {} : { body: sent.toString(base64 ? 'base64' : 'utf8') }),
      }),
    );
  return { post, enqueue, keyRing, telemetry };
}

const headers = { 'content-type': 'application/json' };
const accepted = { statusCode: 202, headers, body: '{"status":"accepted"}' };
const forbidden = { statusCode: 403, headers, body: '{"message":"Invalid signature"}' };
const tooLarge = { statusCode: 413, headers, body: '{"message":"The body exceeds 262144 bytes"}' };
const unavailable = {
  statusCode: 503,
  headers: { ...headers, 'retry-after': '5' },
  body: '{"message":"Service unavailable"}',
};

describe('verifyWebhook', () => {
  it.each([false, true])(
    'responds 202 after it queued the bytes and the signature as received (base64: %s)',
    async (base64) => {
      const { post, enqueue } = setUp();
      expect(await post({ base64 })).toEqual(accepted);
      const requestId = 'request-1';
      const receivedAt = '2026-11-21T10:00:00.000Z';
      expect(enqueue.mock.calls).toEqual([
        [{ body, mode: 'live', keyId: '9a76d0a46113', signature: openssl, receivedAt, requestId }],
      ]);
    },
  );

  it('takes the mode from the key that matched', async () => {
    const { post, enqueue } = setUp();
    await post({ signature: sign(sandbox, body) });
    expect(enqueue).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ mode: 'sandbox' }));
  });

  it.each([
    ['a missing signature', '', 'SignatureUnreadable'],
    ['an upper-case signature', sign(live, body).toUpperCase(), 'SignatureUnreadable'],
    ['two signatures', `${sign(live, body)},${sign(live, body)}`, 'SignatureUnreadable'],
    ['a short signature', sign(live, body).slice(2), 'SignatureUnreadable'],
    ['the signature of another key', sign(rotated, body), 'SignatureMismatch'],
    ['the signature of another body', sign(live, Buffer.from('{}')), 'SignatureMismatch'],
  ])('responds the same 403 to %s and queues nothing', async (_, signature, metric) => {
    const { post, enqueue, telemetry } = setUp();
    expect(await post({ signature })).toEqual(forbidden);
    expect(enqueue).not.toHaveBeenCalled();
    expect(telemetry.metrics).toEqual([metric]);
  });

  it.each(['', 'x'.repeat(64)])(
    'reads no key for the header %j, which is not a signature',
    async (signature) => {
      const { post, keyRing } = setUp();
      await post({ signature });
      expect(keyRing.current).not.toHaveBeenCalled();
      expect(keyRing.reread).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['accepts a key that only the second read of the secret has', [rotated, live], accepted],
    ['refuses a signature that no key matches after the second read', [live], forbidden],
  ])('%s', async (_, rereadKeys, response) => {
    const { post, keyRing } = setUp([live], rereadKeys);
    expect(await post({ signature: sign(rotated, body) })).toEqual(response);
    expect(keyRing.current).toHaveBeenCalledOnce();
    expect(keyRing.reread).toHaveBeenCalledOnce();
  });

  it('responds 503 when the queue fails, and does not log the text of the error', async () => {
    const { post, enqueue, telemetry } = setUp();
    enqueue.mockRejectedValue(new Error('secret detail'));
    expect(await post()).toEqual(unavailable);
    expect(telemetry.metrics).toEqual(['QueueUnavailable']);
    expect(JSON.stringify(telemetry.lines)).not.toContain('secret detail');
  });

  it.each([
    ['accepts a body of 256 KiB', bytes(262_144), accepted],
    ['responds 413 to a body of 256 KiB and one byte', bytes(262_145), tooLarge],
    ['responds 413 to 131,073 characters of two bytes each', Buffer.from('é'.repeat(131_073)), tooLarge],
    ['accepts an empty body with the right signature', bytes(0), accepted],
  ])('%s', async (_, sent, response) => {
    const { post, enqueue } = setUp();
    expect(await post({ body: sent })).toEqual(response);
    const queued = enqueue.mock.calls.map(([message]) => message.body.length);
    expect(queued).toEqual(response === accepted ? [sent.length] : []);
  });

  it.each([
    ['403 without a signature', '', forbidden, 'SignatureUnreadable'],
    ['403 with a malformed signature', 'x'.repeat(64), forbidden, 'SignatureUnreadable'],
    ['413 with a well-formed signature', 'a'.repeat(64), tooLarge, 'BodyTooLarge'],
  ])('responds to a body above 256 KiB with %s, and reads no key', async (_, signature, response, metric) => {
    const { post, keyRing, telemetry } = setUp();
    expect(await post({ body: bytes(262_145), signature })).toEqual(response);
    expect(telemetry.metrics).toEqual([metric]);
    expect(keyRing.current).not.toHaveBeenCalled();
  });

  it('logs no body, signature or key, and writes its metrics once per request', async () => {
    const { post, telemetry } = setUp();
    await post();
    await post({ signature: sign(rotated, body) });
    const log = JSON.stringify(telemetry.lines);
    for (const secret of ['evt-1', sign(live, body), sign(rotated, body), 'pri_'])
      expect(log).not.toContain(secret);
    expect(telemetry.flushes()).toBe(2);
  });
});
