import { describe, expect, it } from 'vitest';
import { createKeyRing } from '../lambdas/verifier/key-ring.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

/** A secret and a clock that the test moves. */
function scene() {
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
  const count = async () => (await ring.current()).length;
  return { state, ring, telemetry, count };
}

describe('createKeyRing', () => {
  it('reads the secret once for many requests', async () => {
    const { state, ring } = scene();
    for (state.now = 0; state.now <= 300; state.now += 10) await ring.current();
    expect(state.reads).toBe(1);
  });

  it('reads it again when it is older than five minutes, so that a removed key stops working', async () => {
    const { state, ring } = scene();
    const [before] = await ring.current();
    state.secret = 'pri_second';
    state.now = 301;
    const [after] = await ring.current();
    expect(state.reads).toBe(2);
    expect(after?.id).not.toBe(before?.id);
  });

  it('sees a rotation at the first mismatch', async () => {
    const { state, ring } = scene();
    await ring.current();
    state.secret = '{"private_keys":[{"key":"pri_second"},{"key":"pri_first"}]}';
    state.now = 60;
    expect(await ring.reread()).toHaveLength(2);
  });

  it('reads once per cool-down, however many forgeries come', async () => {
    const { state, ring } = scene();
    await ring.current();
    for (let forgery = 0; forgery < 1_000; forgery += 1) {
      state.now = 60 + forgery / 10;
      await ring.reread();
    }
    // 100 seconds of forgeries after the first read: at 60 s and at 120 s.
    expect(state.reads).toBe(3);
  });

  it('says undefined during the cool-down', async () => {
    const { state, ring } = scene();
    await ring.current();
    state.now = 59.9;
    expect(await ring.reread()).toBeUndefined();
  });

  it('keeps the last good keys while the secret cannot be read, for six hours', async () => {
    const { state, count, telemetry } = scene();
    expect(await count()).toBe(1);
    state.secret = new Error('throttled');
    state.now = 6 * 60 * 60;
    expect(await count()).toBe(1);
    state.now += 1;
    expect(await count()).toBe(0);
    expect(telemetry.metrics).toContain('SecretReadFailed');
  });

  it('keeps the last good keys when the secret is overwritten with a typo', async () => {
    const { state, count, telemetry } = scene();
    await count();
    state.secret = '{"private_keys":[{"key":"pir_typo"}]}';
    state.now = 301;
    expect(await count()).toBe(1);
    expect(telemetry.lines.at(-1)).toEqual({
      level: 'error',
      message: 'secret read failed',
      fields: {
        error_name: 'MalformedSecretError',
        reason:
          'The key secret is malformed: private_keys[0].key is not a private key; expected pri_<identifier>.',
      },
    });
  });

  it('asks a failing secret at most once a minute while it has keys', async () => {
    const { state, count } = scene();
    await count();
    state.secret = new Error('throttled');
    for (state.now = 301; state.now < 601; state.now += 1) await count();
    expect(state.reads).toBe(1 + 5);
  });

  it('asks a failing secret at most every five seconds while it has no keys', async () => {
    const { state, count } = scene();
    state.secret = '{"private_keys":[]}';
    for (state.now = 0; state.now < 20; state.now += 0.5) expect(await count()).toBe(0);
    expect(state.reads).toBe(4);
    state.secret = 'pri_first';
    expect(await count()).toBe(1);
  });

  it('logs hashes and never a key, nor what an SDK error quotes', async () => {
    const { state, count, telemetry } = scene();
    await count();
    state.secret = new Error('the value pri_first is odd');
    state.now = 301;
    await count();
    expect(JSON.stringify(telemetry.lines)).not.toContain('pri_');
  });
});
