import { describe, expect, it } from 'vitest';
import { callMillisecondsMax, secretMaxAgeSeconds } from '../../../lambdas/contract/limits.ts';
import { createSigningKey } from '../../../lambdas/domain/signature.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { setUpVerifier, signedWith } from '../../doubles/verifier.ts';

const outage = new Error('throttled');
const [ours, old, forged] = [signedWith('pri_test_key'), signedWith('pri_old'), 'a'.repeat(64)];

/** A verifier, and its responses with the reasons that it logs. */
function setUp(text?: string | Error) {
  const verifier = setUpVerifier(text);
  const post = async (signature: string) => {
    const { statusCode } = await verifier.post({ signature });
    const reason = verifier.telemetry.lines.at(-1)?.fields['reason'];
    return reason === undefined ? `${statusCode}` : `${statusCode} ${reason}`;
  };
  return { ...verifier, post };
}

/** A secret with a key that expires after a minute, and other keys. */
const expiring = (...keys: readonly string[]): string =>
  JSON.stringify({
    private_keys: [
      ...keys.map((key) => ({ key })),
      { key: 'pri_old', accepted_until: '2026-11-21T10:01:00Z' },
    ],
  });

describe('the verifier', () => {
  it.each([
    ['cannot be read', outage],
    ['is deleted', new SecretRefusedError('ResourceNotFoundException')],
    ['is malformed', '{"private_keys":[{"key":"pir_typo"}]}'],
  ])('responds 503 to a mismatch, and 202 to a known key, while the secret %s', async (_, text) => {
    const { clock, post, secret, telemetry } = setUp();
    expect(await post(ours)).toBe('202');
    secret.text = text;
    for (clock.seconds = 20; clock.seconds < 40; clock.seconds += 3) {
      expect(await post(forged)).toBe('503 keys_unavailable');
      expect(await post(ours)).toBe('202');
    }
    expect(telemetry.metrics).toContain('KeysUnavailable');
    expect(telemetry.metrics).not.toContain('SignatureMismatch');
  });

  it('reads the secret at most once for a webhook, however long that takes', async () => {
    const { clock, post, secret } = setUp();
    await post(ours);
    secret.onRead = () => {
      clock.seconds += callMillisecondsMax / 1_000;
    };
    // The keys are too old, and then none of them matches.
    clock.seconds = secretMaxAgeSeconds + 1;
    expect(await post(forged)).toBe('403 mismatch');
    expect(secret.reads).toBe(2);
  });

  it('responds 403 to a signature under an expired key, and counts and logs which key it is', async () => {
    const { clock, post, telemetry } = setUp(expiring('pri_test_key'));
    clock.seconds = 59;
    expect(await post(old)).toBe('202');
    clock.seconds = 60;
    expect(await post(old)).toBe('403 key_expired');
    expect(telemetry.metrics).toEqual(['SignatureKeyExpired']);
    const key = { key_id: createSigningKey('pri_old').id, mode: 'live' };
    expect(telemetry.lines.at(-1)?.fields).toMatchObject(key);
  });

  it.each([
    ['202', 'when the secret accepts it again', '{"private_keys":[{"key":"pri_old"}]}'],
    ['503 keys_unavailable', 'while the secret cannot be read', outage],
  ])('responds %s to a signature under an expired key %s', async (response, _, text) => {
    const { clock, post, secret } = setUp(expiring('pri_test_key'));
    await post(ours);
    secret.text = text;
    clock.seconds = 60;
    expect(await post(old)).toBe(response);
  });

  it.each([
    ['a wrong one', forged],
    ['one under an expired key', old],
  ])('responds 503 to every signature while every key has expired: %s', async (_, signature) => {
    const { clock, post, telemetry } = setUp(expiring());
    clock.seconds = 60;
    expect(await post(signature)).toBe('503 keys_expired');
    expect(telemetry.metrics).toEqual(['KeysUnavailable']);
  });
});
