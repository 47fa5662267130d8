import { describe, expect, it } from 'vitest';
import { createSigningKey } from '../../../lambdas/domain/signature.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import { createKeyRing } from '../../../lambdas/verifier/key-ring.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const outage = new Error('throttled');
const deleted = new SecretRefusedError('ResourceNotFoundException');
const typo = '{"private_keys":[{"key":"pir_typo"}]}';
const sixHours = 6 * 60 * 60;

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
  const keyCount = async () => (await ring.current()).keys.length;
  return { state, ring, telemetry, keyCount };
}

describe('the key ring', () => {
  it('has the keys before the first webhook when the function reads them while it starts', async () => {
    const { state, ring, keyCount } = setUp();
    await ring.prepare();
    expect(state.reads).toBe(1);
    expect(await keyCount()).toBe(1);
    expect(state.reads).toBe(1);
  });

  it.each([outage, deleted, typo])(
    'reads the secret with the first webhook after a start without: %s',
    async (fault) => {
      const { state, ring, telemetry, keyCount } = setUp();
      state.secret = fault;
      await ring.prepare();
      expect(telemetry.metrics).toEqual([]);
      expect(telemetry.lines).toEqual([expect.objectContaining({ message: 'secret not read at start' })]);
      expect(await keyCount()).toBe(0);
      expect(telemetry.metrics).toEqual(['SecretReadFailed']);
      state.secret = 'pri_first';
      state.now = 5;
      expect(await keyCount()).toBe(1);
    },
  );

  it('reads the secret again when a function was frozen for longer than the keys last', async () => {
    const { state, ring } = setUp();
    await ring.prepare();
    state.secret = 'pri_second';
    state.now = 7 * 60 * 60;
    const [key] = (await ring.current()).keys;
    expect(state.reads).toBe(2);
    expect(key?.id).toBe(createSigningKey('pri_second').id);
  });

  it('reads the secret once in five minutes of requests', async () => {
    const { state, ring } = setUp();
    for (state.now = 0; state.now <= 300; state.now += 10) await ring.current();
    expect(state.reads).toBe(1);
  });

  it('reads the secret again after five minutes, so that a removed key stops working', async () => {
    const { state, ring } = setUp();
    const before = await ring.current();
    state.secret = 'pri_second';
    state.now = 301;
    const after = await ring.current();
    expect(state.reads).toBe(2);
    expect(after.keys[0]?.id).not.toBe(before.keys[0]?.id);
  });

  it('has a new key ten seconds after a forgery made it read the secret', async () => {
    const { state, ring } = setUp();
    await ring.current();
    state.now = 60;
    await ring.reread();
    state.secret = 'pri_second';
    state.now = 69.9;
    const [kept] = (await ring.reread()).keys;
    state.now = 70;
    expect((await ring.reread()).keys[0]?.id).not.toBe(kept?.id);
  });

  it('reads the secret at most once in ten seconds during a flood of forgeries', async () => {
    const { state, ring } = setUp();
    await ring.current();
    for (state.now = 0.1; state.now < 30; state.now += 0.1) await ring.reread();
    // At 0 s, 10 s and 20 s.
    expect(state.reads).toBe(3);
  });

  it('keeps the last good keys for six hours of an outage, and not longer', async () => {
    const { state, keyCount, telemetry } = setUp();
    expect(await keyCount()).toBe(1);
    state.secret = outage;
    state.now = sixHours;
    expect(await keyCount()).toBe(1);
    state.now += 1;
    expect(await keyCount()).toBe(0);
    expect(telemetry.metrics).toContain('SecretReadFailed');
  });

  it.each([
    ['is deleted', deleted],
    ['must not be read', new SecretRefusedError('AccessDeniedException')],
    ['is overwritten with a typo', typo],
    ['is overwritten with nothing', ''],
  ])('has no key five minutes after its last good read when the secret %s', async (_, secret) => {
    const { state, ring, keyCount, telemetry } = setUp();
    await keyCount();
    state.secret = secret;
    state.now = 299;
    expect(await ring.reread()).toMatchObject({ keys: [{ mode: 'live' }], isCertain: false });
    state.now = 300;
    expect(await keyCount()).toBe(1);
    state.now = 301;
    expect(await keyCount()).toBe(0);
    expect(telemetry.metrics).toContain('SecretReadFailed');
  });

  it('does not get keys back from an outage after the secret was deleted', async () => {
    const { state, keyCount } = setUp();
    await keyCount();
    state.secret = deleted;
    state.now = 301;
    expect(await keyCount()).toBe(0);
    state.secret = outage;
    state.now = 400;
    expect(await keyCount()).toBe(0);
  });

  it('reads the secret again when the clock was set back, for a removed key and for a new one', async () => {
    const { state, ring } = setUp();
    state.now = sixHours;
    const [removed] = (await ring.current()).keys;
    state.secret = 'pri_second';
    state.now = 0;
    const [current] = (await ring.current()).keys;
    expect(current?.id).not.toBe(removed?.id);
    state.now = sixHours;
    await ring.reread();
    state.secret = 'pri_third';
    state.now = sixHours - 60;
    expect((await ring.reread()).keys[0]?.id).not.toBe(current?.id);
  });

  it('is certain of its keys only after a read that succeeded', async () => {
    const { state, ring } = setUp();
    const certainties: boolean[] = [];
    for (const [now, secret] of [
      [0, 'pri_first'],
      [20, outage],
      [40, typo],
      [60, 'pri_first'],
    ] as const) {
      Object.assign(state, { now, secret });
      certainties.push((await ring.reread()).isCertain);
    }
    expect(certainties).toEqual([true, false, false, true]);
  });

  it.each([
    ['MalformedSecretError', typo, 'private_keys[0].key is not a private key; expected pri_<identifier>.'],
    ['SecretRefusedError', deleted, 'does not return the value: ResourceNotFoundException.'],
  ])('logs the reason of a %s', async (error_name, secret, reason) => {
    const { state, keyCount, telemetry } = setUp();
    state.secret = secret;
    await keyCount();
    expect(telemetry.lines.at(-1)).toEqual({
      level: 'error',
      message: 'secret read failed',
      fields: { error_name, reason: expect.stringContaining(reason) },
    });
  });

  it('retries a failing secret every ten seconds while it has keys', async () => {
    const { state, keyCount } = setUp();
    await keyCount();
    state.secret = outage;
    for (state.now = 301; state.now < 361; state.now += 1) await keyCount();
    expect(state.reads).toBe(1 + 6);
  });

  it('retries a failing secret every five seconds while it has no key', async () => {
    const { state, keyCount } = setUp();
    state.secret = '{"private_keys":[]}';
    for (state.now = 0; state.now < 20; state.now += 0.5) expect(await keyCount()).toBe(0);
    expect(state.reads).toBe(4);
    state.secret = 'pri_first';
    expect(await keyCount()).toBe(1);
  });
});
