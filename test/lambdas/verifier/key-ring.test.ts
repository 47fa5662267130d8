import { describe, expect, it } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { createSigningKey } from '../../../lambdas/domain/signature.ts';
import { SecretRefusedError } from '../../../lambdas/ports/secret-reader.ts';
import {
  createKeyRing,
  heartbeatKeys,
  type KeySource,
  privateKeys,
} from '../../../lambdas/verifier/key-ring.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';
import { createSecret } from '../../doubles/verifier.ts';

const outage = new RangeError('pri_first');
const deleted = new SecretRefusedError('ResourceNotFoundException');
const typo = '{"private_keys":[{"key":"pir_typo"}]}';
const sixHours = 6 * 60 * 60;
const idOf = (key: string): string => createSigningKey(key).id;

/** A key ring over a secret and a clock, in seconds, that the test sets. */
function setUp(text: string | Error = 'pri_first', source: KeySource = privateKeys) {
  const clock = { seconds: 0 };
  const telemetry = recordTelemetry();
  const { secret, read: readSecret } = createSecret(text);
  const ring = createKeyRing({ readSecret, now: () => clock.seconds * 1000, telemetry, source });
  const ids = async () => (await ring.current()).keys.map(({ id }) => id);
  return { clock, secret, ring, telemetry, ids };
}

describe('the key ring', () => {
  it('has the keys before the first webhook when the function reads them while it starts', async () => {
    const { secret, ring, ids } = setUp();
    await ring.prepare();
    expect(secret.reads).toBe(1);
    expect(await ids()).toEqual([idOf('pri_first')]);
    expect(secret.reads).toBe(1);
  });

  it.each([outage, deleted, typo])(
    'reads the secret with the first webhook after a start without: %s',
    async (fault) => {
      const { clock, secret, ring, telemetry, ids } = setUp(fault);
      await ring.prepare();
      expect(telemetry.lines).toMatchObject([{ level: 'warn', message: 'secret not read at start' }]);
      expect(await ids()).toEqual([]);
      expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', message: 'secret read failed' });
      secret.text = 'pri_first';
      clock.seconds = 5;
      expect(await ids()).toEqual([idOf('pri_first')]);
    },
  );

  it.each([
    ['five minutes, so that a removed key stops working', 301],
    ['it was frozen for longer than the keys last', 7 * 60 * 60],
    ['the clock was set back', -sixHours],
  ])('reads the secret again after %s', async (_, seconds) => {
    const { clock, secret, ring, ids } = setUp();
    await ring.prepare();
    secret.text = 'pri_second';
    clock.seconds = seconds;
    expect(await ids()).toEqual([idOf('pri_second')]);
    // For a new key too.
    secret.text = 'pri_third';
    clock.seconds -= 60;
    await ring.reread();
    expect(await ids()).toEqual([idOf('pri_third')]);
  });

  it('reads the secret at most once in ten seconds of forgeries, and then has a new key', async () => {
    const { clock, secret, ring, ids } = setUp();
    await ring.current();
    for (let tick = 1; tick < 300; tick += 1) {
      clock.seconds = tick / 10;
      await ring.reread();
    }
    // At 0 s, 10 s and 20 s.
    expect(secret.reads).toBe(3);
    secret.text = 'pri_second';
    clock.seconds = 30;
    await ring.reread();
    expect(await ids()).toEqual([idOf('pri_second')]);
  });

  it('keeps the last good keys for six hours of an outage, and not longer', async () => {
    const { clock, secret, ids, telemetry } = setUp();
    expect(await ids()).toHaveLength(1);
    secret.text = outage;
    clock.seconds = sixHours;
    expect(await ids()).toHaveLength(1);
    clock.seconds += 1;
    expect(await ids()).toEqual([]);
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', message: 'secret read failed' });
  });

  it.each([
    ['is deleted', deleted],
    ['must not be read', new SecretRefusedError('AccessDeniedException')],
    ['is overwritten with a typo', typo],
    ['is overwritten with nothing', ''],
  ])('has no key five minutes after its last good read when the secret %s', async (_, text) => {
    const { clock, secret, ring, ids, telemetry } = setUp();
    await ids();
    secret.text = text;
    clock.seconds = 299;
    expect(await ring.reread()).toMatchObject({ keys: [{ mode: 'live' }], isCertain: false });
    clock.seconds = 300;
    expect(await ids()).toHaveLength(1);
    clock.seconds = 301;
    expect(await ids()).toEqual([]);
    expect(telemetry.lines.at(-1)).toMatchObject({ level: 'error', message: 'secret read failed' });
    // An outage does not bring them back.
    secret.text = outage;
    clock.seconds = 400;
    expect(await ids()).toEqual([]);
  });

  it('retries a failing secret every ten seconds while it has keys', async () => {
    const { clock, secret, ring } = setUp();
    await ring.current();
    secret.text = outage;
    for (clock.seconds = 301; clock.seconds < 361; clock.seconds += 1) await ring.current();
    expect(secret.reads).toBe(1 + 6);
  });

  it('retries a failing secret every five seconds while it has no key', async () => {
    const { clock, secret, ids } = setUp('{"private_keys":[]}');
    for (clock.seconds = 0; clock.seconds < 20; clock.seconds += 0.5) expect(await ids()).toEqual([]);
    expect(secret.reads).toBe(4);
    secret.text = 'pri_first';
    expect(await ids()).toHaveLength(1);
  });
});

describe('the log line of a read of the keys', () => {
  const two = '{"private_keys":[{"key":"pri_first"},{"key":"pri_second"}]}';
  const heartbeatText = '0f'.repeat(32);

  it.each([
    ['the keys', two, privateKeys, { keys: 2, key_ids: `${idOf('pri_first')} ${idOf('pri_second')}` }],
    [
      'the key of heartbeats',
      ...[
        heartbeatText,
        heartbeatKeys,
        { secret: 'heartbeat', keys: 1, key_ids: parseHeartbeatKey(heartbeatText).id },
      ],
    ] as const,
  ])('names %s', async (_, text, source, fields) => {
    const { ring, telemetry } = setUp(text, source);
    await ring.current();
    expect(telemetry.lines).toEqual([{ level: 'info', message: 'secret read', fields }]);
  });

  const notAKey = 'private_keys[0].key is not a private key; expected pri_<identifier>.';
  it.each([
    ['MalformedSecretError', typo, expect.stringContaining(notAKey)],
    ['SecretRefusedError', deleted, expect.stringContaining('does not return the value: Resource')],
    // Its text may quote a key.
    ['RangeError', outage, undefined],
  ])('has the reason of a %s, and no text of an error that is not ours', async (error_name, text, reason) => {
    const { ring, telemetry } = setUp(text);
    await ring.current();
    const fields = { error_name, ...(reason && { reason }) };
    expect(telemetry.lines).toEqual([{ level: 'error', message: 'secret read failed', fields }]);
  });
});
