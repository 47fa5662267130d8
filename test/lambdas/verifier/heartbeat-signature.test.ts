import { describe, expect, it, vi } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { MalformedSecretError } from '../../../lambdas/contract/key-secret.ts';
import { sign } from '../../../lambdas/domain/signature.ts';
import { eventBytes, setUpVerifier } from '../../doubles/verifier.ts';

const key = parseHeartbeatKey('0f'.repeat(32));
const signature = sign(key, eventBytes);
const forged = '00'.repeat(32);

/** The verifier, and the status of its response to each signature; undefined: under a private key. */
function setUp(change: Parameters<typeof setUpVerifier>[1] = {}) {
  const verifier = setUpVerifier('pri_test_key', change);
  const post = async (given?: string, headers = {}) =>
    (await verifier.post({ headers, ...(given && { signature: given }) })).statusCode;
  const beat = (given?: string) => post(given, { 'payhooks-heartbeat': '1' });
  return { ...verifier, post, beat };
}

describe('a request with the header of heartbeats', () => {
  it('is accepted under the heartbeat key, in its mode, and does not count as a webhook', async () => {
    const countAccepted = vi.fn();
    const { post, beat, queued, secret, heartbeat, telemetry } = setUp({ countAccepted });
    expect(await beat(signature)).toBe(202);
    expect(queued).toMatchObject([{ mode: 'heartbeat', keyId: key.id }]);
    expect([heartbeat.reads, secret.reads]).toEqual([1, 1]);
    const fields = { request_id: 'request-1', mode: 'heartbeat', key_id: key.id, bytes: eventBytes.length };
    expect(telemetry.lines.at(-1)).toEqual({ level: 'notice', message: 'webhook accepted', fields });
    expect(countAccepted).not.toHaveBeenCalled();
    await post();
    expect(countAccepted).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['private keys', (setup: ReturnType<typeof setUp>) => setup.secret],
    ['seal keys', (setup: ReturnType<typeof setUp>) => setup.seals],
  ])('gets 503 while the %s cannot be read, though webhooks pass with the last good ones', async (_, of) => {
    const setup = setUp();
    expect([await setup.post(), await setup.beat(signature)]).toEqual([202, 202]);
    of(setup).text = new Error('throttled');
    setup.clock.seconds = 3 * 60 * 60;
    expect([await setup.post(), await setup.beat(signature)]).toEqual([202, 503]);
  });

  it('is accepted once the private keys can be read again, though no webhook reads them', async () => {
    const { post, beat, clock, secret } = setUp();
    expect(await post()).toBe(202);
    const { text } = secret;
    secret.text = new Error('throttled');
    clock.seconds = 400;
    expect([await post(), await beat(signature)]).toEqual([202, 503]);
    secret.text = text;
    clock.seconds = 700;
    expect(await beat(signature)).toBe(202);
  });

  it('is refused under a private key, and counts as a mismatch', async () => {
    const { beat, queued, telemetry } = setUp();
    expect(await beat()).toBe(403);
    expect(telemetry.metrics).toEqual(['SignatureMismatch']);
    expect(queued).toEqual([]);
  });

  it.each([
    ['403 when it is forged', '0f'.repeat(32), 403],
    ['503 while the heartbeat key cannot be read', new Error('throttled'), 503],
  ])('gets %s, with one read of that key in ten seconds', async (_, text, status) => {
    const { clock, beat, secret, heartbeat } = setUp();
    heartbeat.text = text;
    for (clock.seconds = 0; clock.seconds < 60; clock.seconds += 1) expect(await beat(forged)).toBe(status);
    expect([heartbeat.reads, secret.reads]).toEqual([6, 0]);
  });
});

it.each([undefined, '0', 'true', '1,1', ''])(
  'the header of heartbeats selects nothing with the value %j, and their key is not read',
  async (value) => {
    const { post, heartbeat } = setUp();
    const headers = value === undefined ? {} : { 'payhooks-heartbeat': value };
    expect(await post(undefined, headers)).toBe(202);
    expect(await post(signature, headers)).toBe(403);
    expect(heartbeat.reads).toBe(0);
  },
);

it('the header of heartbeats selects nothing in a stack without heartbeats', async () => {
  expect(await setUp({ heartbeatKeys: undefined }).beat()).toBe(202);
});

it.each(['', 'pri_live', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}\n`])(
  'parseHeartbeatKey refuses %j, and does not quote it',
  (text) => {
    expect(() => parseHeartbeatKey(text)).toThrow(MalformedSecretError);
    const message = 'The heartbeat key is not 64 lowercase hexadecimal digits.';
    expect(() => parseHeartbeatKey(text)).toThrow(new MalformedSecretError(message));
  },
);
