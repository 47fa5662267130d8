import { describe, expect, it } from 'vitest';
import { seal } from '../../../lambdas/contract/seal.ts';
import { createAcceptedCount } from '../../../lambdas/verifier/verifier.ts';
import { testSealKey } from '../../doubles/seal.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';
import { eventBytes, setUpVerifier, signedWith, type Webhook } from '../../doubles/verifier.ts';

// openssl dgst -sha256 -hmac pri_test_key
const openssl = '5519f3882f928d3c9c2906038cd5833ab57b9b9d6ce40e5119c844990db5cec9';
const bytes = (count: number): Buffer => Buffer.alloc(count, 'a');
const signature = signedWith('pri_test_key');

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
      const { post, queued, telemetry } = setUpVerifier();
      expect(await post({ base64 })).toEqual(accepted);
      const receivedAt = '2026-11-21T10:00:00.000Z';
      const key = { mode: 'live', keyId: '9a76d0a46113' } as const;
      const requestId = 'request-1';
      const message = { body: eventBytes, ...key, signature: openssl, receivedAt, requestId } as const;
      expect(queued).toEqual([{ ...message, seal: seal(testSealKey, message) }]);
      const fields = { request_id: requestId, mode: 'live', key_id: '9a76d0a46113', bytes: 39 };
      expect(telemetry.lines.slice(2)).toEqual([{ level: 'info', message: 'webhook accepted', fields }]);
    },
  );

  const large = { body: bytes(262_145) };
  const metrics = {
    ...{ missing: 'SignatureUnreadable', malformed: 'SignatureUnreadable' },
    ...{ mismatch: 'SignatureMismatch', too_large: 'BodyTooLarge' },
  };
  it.each<[string, Webhook, 403 | 413, reason: keyof typeof metrics, reads: number]>([
    ['a missing signature', { signature: '' }, 403, 'missing', 0],
    ['an upper-case signature', { signature: signature.toUpperCase() }, 403, 'malformed', 0],
    ['the signature of another key', { signature: signedWith('pri_other') }, 403, 'mismatch', 1],
    ['256 KiB and a byte, unsigned', { ...large, signature: '' }, 403, 'missing', 0],
    ['256 KiB and a byte, signed in another form', { ...large, signature: 'x' }, 403, 'malformed', 0],
    ['256 KiB and a byte', { ...large, signature: 'a'.repeat(64) }, 413, 'too_large', 0],
    ['131,073 characters of two bytes', { body: Buffer.from('é'.repeat(131_073)) }, 413, 'too_large', 0],
  ])(
    'refuses %s with one warning and metric, and queues nothing',
    async (_, webhook, status, reason, reads) => {
      const { post, queued, telemetry, secret } = setUpVerifier();
      expect(await post(webhook)).toEqual(status === 403 ? forbidden : tooLarge);
      expect(queued).toEqual([]);
      const fields = { request_id: 'request-1', status, reason, bytes: webhook.body?.length ?? 39 };
      expect(telemetry.lines.filter(({ level }) => level !== 'info')).toEqual([
        { level: 'warn', message: 'webhook refused', fields },
      ]);
      expect(telemetry.metrics).toEqual([metrics[reason]]);
      // Neither the form nor the size needs a key.
      expect(secret.reads).toBe(reads);
    },
  );

  it('reads the secret again for a signature that no key matches, and only then', async () => {
    const { post, secret, clock } = setUpVerifier();
    await post();
    secret.text = 'pri_new';
    clock.seconds = 10;
    expect(await post()).toEqual(accepted);
    expect(secret.reads).toBe(1);
    expect(await post({ signature: signedWith('pri_new') })).toEqual(accepted);
    expect(await post()).toEqual(forbidden);
    expect(secret.reads).toBe(2);
  });

  it.each([
    ['an error', new RangeError('secret detail'), 'RangeError'],
    ['a thrown text', 'secret detail', undefined],
  ])('responds 503 when the queue fails with %s, and logs its name alone', async (_, thrown, error_name) => {
    const { post, telemetry } = setUpVerifier('pri_test_key', { enqueue: () => Promise.reject(thrown) });
    expect(await post()).toEqual(unavailable);
    expect(telemetry.metrics).toEqual(['QueueUnavailable']);
    const reason = 'queue_unavailable';
    const fields = { request_id: 'request-1', status: 503, reason, bytes: 39, error_name };
    expect(telemetry.lines.at(-1)).toEqual({ level: 'error', message: 'webhook failed', fields });
  });

  it('logs no body, signature or key, and writes its metrics once per request', async () => {
    const { post, telemetry } = setUpVerifier();
    await post();
    await post({ signature: signedWith('pri_other') });
    const log = JSON.stringify(telemetry.lines);
    for (const text of ['evt-1', signature, signedWith('pri_other'), 'pri_']) expect(log).not.toContain(text);
    expect(telemetry.flushes()).toBe(2);
  });
});

/** The metrics after webhooks at these times, in milliseconds. */
function countedAt(...times: readonly number[]) {
  let now = 0;
  const telemetry = recordTelemetry();
  const countAccepted = createAcceptedCount({ now: () => now, telemetry });
  for (now of times) countAccepted();
  return telemetry.metrics;
}

it('the metric of accepted webhooks is emitted once a minute, however many there are', () => {
  const everyTenth = Array.from({ length: 1_800 }, (_, n) => n * 100);
  expect(countedAt(...everyTenth)).toEqual(Array(3).fill('WebhooksAccepted'));
  expect(countedAt(0, 59_999)).toHaveLength(1);
  expect(countedAt(0, 60_000)).toHaveLength(2);
});

it('a clock that was set back by a minute does not silence the metric of accepted webhooks', () => {
  expect(countedAt(3_600_000, 3_540_001)).toHaveLength(1);
  expect(countedAt(3_600_000, 3_540_000)).toHaveLength(2);
});
