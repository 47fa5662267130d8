import { describe, expect, it } from 'vitest';
import { createSigningKey, sign } from '../../../lambdas/domain/signature.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { createKeyRing } from '../../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const body = Buffer.from('{"id":"evt-1"}');
const signedWith = (key: string): string => sign(createSigningKey(key), body);
const forged = 'a'.repeat(64);
const began = Date.parse('2026-11-21T10:00:00.000Z');

/** The verifier over a secret and a clock, in seconds since it began, that the test sets. */
function setUp(secret: string | Error = 'pri_first') {
  const state = { now: 0, secret, onRead: () => {} };
  const telemetry = recordTelemetry();
  const now = (): number => began + state.now * 1_000;
  const readSecret = async (): Promise<string> => {
    state.onRead();
    if (state.secret instanceof Error) throw state.secret;
    return state.secret;
  };
  const verifyWebhook = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: createKeyRing({ readSecret, now, telemetry }),
    enqueue: async () => undefined,
    now,
    telemetry,
  });
  const post = async (signature: string) => {
    const headers = { 'x-service-signature': signature };
    const routeKey = 'POST /webhooks/payments';
    const response = await verifyWebhook(gatewayEvent({ routeKey, headers, body: body.toString() }));
    return [response.statusCode, response.body, telemetry.lines.at(-1)?.fields['reason']];
  };
  return { state, post, telemetry };
}

const accepted = [202, '{"status":"accepted"}', undefined];
const refused = (reason: string) => [403, '{"message":"Invalid signature"}', reason];
const unavailable = (reason: string) => [503, '{"message":"Service unavailable"}', reason];

/** A secret with a key that expires after a minute, and another key. */
const listOf = (...keys: readonly (readonly [key: string, acceptedUntil?: string])[]): string =>
  JSON.stringify({ private_keys: keys.map(([key, accepted_until]) => ({ key, accepted_until })) });
const afterAMinute = '2026-11-21T10:01:00.000Z';
const expiring = listOf(['pri_new'], ['pri_old', afterAMinute]);

describe('the verifier', () => {
  it('responds 403 to a wrong signature after a read that succeeded, also within the cool-down', async () => {
    const { state, post, telemetry } = setUp();
    for (state.now = 0; state.now < 30; state.now += 3) {
      expect(await post(forged)).toEqual(refused('mismatch'));
    }
    expect(new Set(telemetry.metrics)).toEqual(new Set(['SignatureMismatch']));
  });

  it.each([
    ['cannot be read', new Error('throttled')],
    ['is deleted', new SecretRefusedError('ResourceNotFoundException')],
    ['is malformed', '{"private_keys":[{"key":"pir_typo"}]}'],
  ])('responds 503 to a mismatch, and 202 to a known key, while the secret %s', async (_, secret) => {
    const { state, post, telemetry } = setUp();
    expect(await post(signedWith('pri_first'))).toEqual(accepted);
    state.secret = secret;
    for (state.now = 20; state.now < 40; state.now += 3) {
      expect(await post(signedWith('pri_second'))).toEqual(unavailable('keys_unavailable'));
      expect(await post(signedWith('pri_first'))).toEqual(accepted);
    }
    expect(telemetry.metrics).toContain('KeysUnavailable');
    expect(telemetry.metrics).not.toContain('SignatureMismatch');
  });

  it('responds 503 while it has no key, and accepts the first one after five seconds', async () => {
    const { state, post } = setUp(new Error('throttled'));
    expect(await post(signedWith('pri_first'))).toEqual(unavailable('keys_unavailable'));
    state.secret = 'pri_first';
    state.now = 5;
    expect(await post(signedWith('pri_first'))).toEqual(accepted);
  });

  it('responds 403 to a signature under an expired key, and counts and logs which key it is', async () => {
    const { state, post, telemetry } = setUp(expiring);
    state.now = 59;
    expect(await post(signedWith('pri_old'))).toEqual(accepted);
    state.now = 60;
    expect(await post(signedWith('pri_old'))).toEqual(refused('key_expired'));
    expect(telemetry.metrics).toEqual(['SignatureKeyExpired']);
    const id = createSigningKey('pri_old').id;
    expect(telemetry.lines.at(-1)?.fields).toMatchObject({ key_id: id, mode: 'live' });
  });

  it('accepts an expired key again when the secret says so', async () => {
    const { state, post } = setUp(expiring);
    await post(signedWith('pri_new'));
    state.secret = listOf(['pri_new'], ['pri_old']);
    state.now = 60;
    expect(await post(signedWith('pri_old'))).toEqual(accepted);
  });

  it('responds 503 to a signature under an expired key while the secret cannot be read', async () => {
    const { state, post } = setUp(expiring);
    await post(signedWith('pri_new'));
    state.secret = new Error('throttled');
    state.now = 60;
    expect(await post(signedWith('pri_old'))).toEqual(unavailable('keys_unavailable'));
  });

  it('accepts a key that a clock set back makes usable again, although the secret cannot be read', async () => {
    const { state, post } = setUp();
    expect(await post(signedWith('pri_first'))).toEqual(accepted);
    state.secret = new Error('throttled');
    state.now = 1_000_000;
    state.onRead = () => {
      state.onRead = () => {
        state.now = 1;
      };
      state.now += 20;
    };
    expect(await post(signedWith('pri_first'))).toEqual(accepted);
  });

  it.each([
    ['a wrong one', forged],
    ['one under an expired key', signedWith('pri_old')],
  ])('responds 503 to every signature while every key has expired: %s', async (_, signature) => {
    const { state, post, telemetry } = setUp(listOf(['pri_old', afterAMinute]));
    state.now = 60;
    expect(await post(signature)).toEqual(unavailable('keys_expired'));
    expect(telemetry.metrics).toEqual(['KeysUnavailable']);
  });
});
