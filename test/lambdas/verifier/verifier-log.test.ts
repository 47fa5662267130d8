import { describe, expect, it } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { createSigningKey, type SigningKey, sign } from '../../../lambdas/domain/signature.ts';
import { createKeyRing, heartbeatKeys, type KeySource } from '../../../lambdas/verifier/key-ring.ts';
import { createVerifier, type VerifierParts } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const live = createSigningKey('pri_test_key');
const heartbeat = parseHeartbeatKey('0f'.repeat(32));
const expired = createSigningKey('pri_old_key', 0);
const body = '{"id":"evt-1"}';
const tooLarge = 'a'.repeat(262_145);

/** The lines about one webhook. */
async function linesFor(
  {
    key = live as SigningKey<'live' | 'sandbox' | 'heartbeat'>,
    sent = body,
    signature = sign(key, Buffer.from(sent)),
  },
  change: Partial<VerifierParts> = {},
) {
  const telemetry = recordTelemetry();
  let rereads = 0;
  const known = async () => ({ keys: [live, heartbeat, expired], isCertain: true });
  const reread = async () => {
    rereads += 1;
    return known();
  };
  const keys = { prepare: () => {}, current: known, reread } as VerifierParts['keys'];
  const verifyWebhook = createVerifier({
    ...{ signatureHeader: 'x-service-signature', keys, enqueue: async () => {}, now: () => 1_000, telemetry },
    ...change,
  });
  const headers = signature === '' ? {} : { 'x-service-signature': signature };
  await verifyWebhook(gatewayEvent({ routeKey: 'POST /webhooks/payments', headers, body: sent }));
  const messages = telemetry.lines.map(({ message }) => message);
  return { lines: telemetry.lines.map(({ level, fields }) => ({ level, ...fields })), messages, rereads };
}

const request = { request_id: 'request-1' };

describe('the log line of a webhook', () => {
  it('that is accepted names its key and its size, and the keys are not read again', async () => {
    const { lines, rereads } = await linesFor({});
    expect(lines).toEqual([{ level: 'info', ...request, mode: 'live', key_id: '9a76d0a46113', bytes: 14 }]);
    expect(rereads).toBe(0);
  });

  it('that is a heartbeat is always written', async () => {
    const { lines } = await linesFor({ key: heartbeat });
    expect(lines).toEqual([
      { level: 'notice', ...request, mode: 'heartbeat', key_id: heartbeat.id, bytes: 14 },
    ]);
  });

  it.each([
    ['accepted', {}, {}],
    ['refused', { signature: '' }, {}],
    ['refused', { sent: tooLarge }, {}],
    ['failed', {}, { enqueue: () => Promise.reject(new Error('no queue')) }],
  ])('that is %s has the message by which local mode shows it', async (what, webhook, change) => {
    expect((await linesFor(webhook, change)).messages).toEqual([`webhook ${what}`]);
  });

  it.each([
    ['without a signature', { signature: '' }, { status: 403, reason: 'missing' }],
    ['with two signatures', { signature: 'a,b' }, { status: 403, reason: 'malformed' }],
    ['with the signature of another key', { signature: 'a'.repeat(64) }, { status: 403, reason: 'mismatch' }],
    [
      'under a key that has expired',
      { key: expired },
      { status: 403, reason: 'key_expired', key_id: expired.id, mode: 'live' },
    ],
    ['that is too large', { sent: tooLarge }, { status: 413, reason: 'too_large' }],
  ])('%s is a warning with the reason', async (_, webhook, logged) => {
    expect((await linesFor(webhook)).lines).toEqual([{ level: 'warn', ...request, ...logged }]);
  });

  it.each([
    ['an error', new RangeError('secret detail'), 'RangeError'],
    ['a thrown text', 'secret detail', undefined],
  ])('that the queue did not take is an error with the name of %s', async (_, thrown, error_name) => {
    const enqueue = async () => {
      throw thrown;
    };
    const logged = { status: 503, reason: 'queue_unavailable', error_name };
    expect((await linesFor({}, { enqueue })).lines).toEqual([{ level: 'error', ...request, ...logged }]);
  });
});

describe('the log line of a read of the keys', () => {
  /** The line of one read. */
  async function lineFor(readSecret: () => Promise<string>, source?: KeySource) {
    const telemetry = recordTelemetry();
    await createKeyRing({ readSecret, now: () => 0, telemetry, ...(source && { source }) }).current();
    return telemetry.lines.map(({ level, fields }) => ({ level, ...fields }));
  }

  it('has the ids of the keys', async () => {
    const secret = '{"private_keys":[{"key":"pri_test_key"},{"key":"pri_old_key"}]}';
    const key_ids = `9a76d0a46113 ${expired.id}`;
    expect(await lineFor(async () => secret)).toEqual([{ level: 'info', keys: 2, key_ids }]);
  });

  it('that fails while Lambda starts the function is a warning', async () => {
    const telemetry = recordTelemetry();
    const readSecret = async () => {
      throw new RangeError('pri_test_key');
    };
    await createKeyRing({ readSecret, source: heartbeatKeys, now: () => 0, telemetry }).prepare();
    const fields = { mode: 'heartbeat', error_name: 'RangeError' };
    expect(telemetry.lines).toEqual([{ level: 'warn', message: expect.any(String), fields }]);
    expect(telemetry.metrics).toEqual([]);
  });

  it('says that it was the key of heartbeats', async () => {
    const lines = await lineFor(async () => '0f'.repeat(32), heartbeatKeys);
    expect(lines).toEqual([{ level: 'info', mode: 'heartbeat', keys: 1, key_ids: heartbeat.id }]);
  });

  it.each([
    ['an error', new RangeError('pri_test_key'), 'RangeError'],
    ['a thrown text', 'pri_test_key', 'unknown'],
  ])('that fails with %s has no text that could quote a key', async (_, thrown, error_name) => {
    const lines = await lineFor(async () => {
      throw thrown;
    });
    expect(lines).toEqual([{ level: 'error', error_name }]);
  });
});
