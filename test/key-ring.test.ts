import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../lambdas/verifier/key-ring.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

/** A key ring over a secret and a clock, in seconds, that the test sets. */
function setUp() {
  const state = { now: 0, secret: 'pri_first' as string | Error, reads: 0 };
  const telemetry = recordTelemetry();
  const ring = createKeyRing({
    readSecret: async () => {
      state.reads += 1;
      if (state.secret instanceof Error) throw state.secret;
      return state.secret;
    },
    now: () => state.now * 1000,
    telemetry,
  });
  const keyCount = async () => (await ring.current()).length;
  return { state, ring, telemetry, keyCount };
}

describe('the key ring', () => {
  it('reads the secret once in five minutes of requests', async () => {
    const { state, ring } = setUp();
    for (state.now = 0; state.now <= 300; state.now += 10) await ring.current();
    expect(state.reads).toBe(1);
  });

  it('reads the secret again after five minutes, so that a removed key stops working', async () => {
    const { state, ring } = setUp();
    const [before] = await ring.current();
    state.secret = 'pri_second';
    state.now = 301;
    const [after] = await ring.current();
    expect(state.reads).toBe(2);
    expect(after?.id).not.toBe(before?.id);
  });

  it('has the new key of a rotation after the first mismatch', async () => {
    const { state, ring } = setUp();
    await ring.current();
    state.secret = '{"private_keys":[{"key":"pri_second"},{"key":"pri_first"}]}';
    state.now = 60;
    expect(await ring.reread()).toHaveLength(2);
  });

  it('reads the secret at most once a minute during a flood of forgeries', async () => {
    const { state, ring } = setUp();
    await ring.current();
    state.now = 59.9;
    expect(await ring.reread()).toBeUndefined();
    for (state.now = 60; state.now < 160; state.now += 0.1) await ring.reread();
    // At 0 s, 60 s and 120 s.
    expect(state.reads).toBe(3);
  });

  it('keeps the last good keys for six hours while the secret cannot be read', async () => {
    const { state, keyCount, telemetry } = setUp();
    expect(await keyCount()).toBe(1);
    state.secret = new Error('throttled');
    state.now = 6 * 60 * 60;
    expect(await keyCount()).toBe(1);
    state.now += 1;
    expect(await keyCount()).toBe(0);
    expect(telemetry.metrics).toContain('SecretReadFailed');
  });

  it('keeps the last good keys when the secret is overwritten with a typo, and logs the reason', async () => {
    const { state, keyCount, telemetry } = setUp();
    await keyCount();
    state.secret = '{"private_keys":[{"key":"pir_typo"}]}';
    state.now = 301;
    expect(await keyCount()).toBe(1);
    const reason =
      'The key secret is malformed: private_keys[0].key is not a private key; expected pri_<identifier>.';
    expect(telemetry.lines.at(-1)).toEqual({
      level: 'error',
      message: 'secret read failed',
      fields: { error_name: 'MalformedSecretError', reason },
    });
  });

  it('retries a failing secret once a minute while it has keys', async () => {
    const { state, keyCount } = setUp();
    await keyCount();
    state.secret = new Error('throttled');
    for (state.now = 301; state.now < 601; state.now += 1) await keyCount();
    expect(state.reads).toBe(1 + 5);
  });

  it('retries a failing secret every five seconds while it has no key', async () => {
    const { state, keyCount } = setUp();
    state.secret = '{"private_keys":[]}';
    for (state.now = 0; state.now < 20; state.now += 0.5) expect(await keyCount()).toBe(0);
    expect(state.reads).toBe(4);
    state.secret = 'pri_first';
    expect(await keyCount()).toBe(1);
  });

  it('logs no key, even when an SDK error quotes one', async () => {
    const { state, keyCount, telemetry } = setUp();
    await keyCount();
    state.secret = new Error('the value pri_first is odd');
    state.now = 301;
    await keyCount();
    expect(JSON.stringify(telemetry.lines)).not.toContain('pri_');
  });
});
