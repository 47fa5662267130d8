import { describe, expect, it, vi } from 'vitest';
import { parseHeartbeatKey } from '../../../lambdas/contract/heartbeat.ts';
import { MalformedSecretError } from '../../../lambdas/contract/key-secret.ts';
import type { QueueMessage } from '../../../lambdas/contract/queue-message.ts';
import { createSigningKey, sign } from '../../../lambdas/domain/signature.ts';
import type { SecretReader } from '../../../lambdas/ports/secret-reader.ts';
import { createKeyRing, heartbeatKeys } from '../../../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../../../lambdas/verifier/verifier.ts';
import { gatewayEvent } from '../../doubles/gateway-event.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const heartbeatText = '0f'.repeat(32);
const heartbeat = parseHeartbeatKey(heartbeatText);
const live = createSigningKey('pri_live');
const body = Buffer.from('{"id":"evt-1"}');
const isHeartbeat = { 'payhooks-heartbeat': '1' };

/** The verifier over both secrets, with a clock in seconds that the test sets. */
function setUp({ hasHeartbeat = true } = {}) {
  const state = { now: 0, heartbeatSecret: heartbeatText as string | Error };
  const now = () => state.now * 1000;
  const telemetry = recordTelemetry();
  const readPrivateKeys = vi.fn<SecretReader>(async () => 'pri_live');
  const readHeartbeatKey = vi.fn<SecretReader>(async () => {
    if (state.heartbeatSecret instanceof Error) throw state.heartbeatSecret;
    return state.heartbeatSecret;
  });
  const enqueue = vi.fn(async (_: QueueMessage) => {});
  const countAccepted = vi.fn();
  const ring = { readSecret: readHeartbeatKey, source: heartbeatKeys, now, telemetry };
  const verifyWebhook = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: createKeyRing({ readSecret: readPrivateKeys, now, telemetry }),
    ...(hasHeartbeat && { heartbeatKeys: createKeyRing(ring) }),
    ...{ enqueue, countAccepted, now, telemetry },
  });
  const post = async (signature: string, headers: Record<string, string> = {}) => {
    const event = gatewayEvent({
      routeKey: 'POST /webhooks/payments',
      headers: { 'x-service-signature': signature, ...headers },
      body: body.toString(),
    });
    return (await verifyWebhook(event)).statusCode;
  };
  return { state, post, readPrivateKeys, readHeartbeatKey, enqueue, countAccepted, telemetry };
}

describe('a request with the header of heartbeats', () => {
  it('is accepted under the heartbeat key, in the mode heartbeat, without a read of the private keys', async () => {
    const { post, enqueue, readPrivateKeys, readHeartbeatKey } = setUp();
    expect(await post(sign(heartbeat, body), isHeartbeat)).toBe(202);
    expect(enqueue.mock.calls[0]?.[0]).toMatchObject({ mode: 'heartbeat', keyId: heartbeat.id });
    expect(readHeartbeatKey).toHaveBeenCalledTimes(1);
    expect(readPrivateKeys).not.toHaveBeenCalled();
  });

  it('is refused under a private key, and counts as a mismatch', async () => {
    const { post, enqueue, telemetry } = setUp();
    expect(await post(sign(live, body), isHeartbeat)).toBe(403);
    expect(telemetry.metrics).toEqual(['SignatureMismatch']);
    expect(enqueue).not.toHaveBeenCalled();
  });

  it('reads the heartbeat key at most once in ten seconds, however many are forged', async () => {
    const { state, post, readHeartbeatKey, readPrivateKeys, telemetry } = setUp();
    for (state.now = 0; state.now < 60; state.now += 1) await post('00'.repeat(32), isHeartbeat);
    expect(readHeartbeatKey).toHaveBeenCalledTimes(6);
    expect(readPrivateKeys).not.toHaveBeenCalled();
    expect(telemetry.metrics).toEqual(Array(60).fill('SignatureMismatch'));
  });

  it('gets 503 while the heartbeat key cannot be read, with one read in ten seconds', async () => {
    const { state, post, readHeartbeatKey } = setUp();
    state.heartbeatSecret = new Error('throttled');
    const statuses = new Set<number | undefined>();
    for (state.now = 0; state.now < 30; state.now += 1) {
      statuses.add(await post('00'.repeat(32), isHeartbeat));
    }
    expect([...statuses]).toEqual([503]);
    expect(readHeartbeatKey).toHaveBeenCalledTimes(3);
  });

  it('is accepted under a new heartbeat key after the first mismatch', async () => {
    const { state, post } = setUp();
    await post(sign(heartbeat, body), isHeartbeat);
    state.heartbeatSecret = 'ab'.repeat(32);
    state.now = 10;
    expect(await post(sign(parseHeartbeatKey('ab'.repeat(32)), body), isHeartbeat)).toBe(202);
    expect(await post(sign(heartbeat, body), isHeartbeat)).toBe(403);
  });

  it('is not counted as a webhook, so that an alarm on silence ignores it', async () => {
    const { post, countAccepted } = setUp();
    await post(sign(heartbeat, body), isHeartbeat);
    expect(countAccepted).not.toHaveBeenCalled();
    await post(sign(live, body));
    expect(countAccepted).toHaveBeenCalledTimes(1);
  });
});

describe('a request without the header of heartbeats', () => {
  it('is refused under the heartbeat key, which is never read for it', async () => {
    const { state, post, readHeartbeatKey, telemetry } = setUp();
    for (state.now = 0; state.now <= 20; state.now += 10) {
      expect(await post(sign(heartbeat, body))).toBe(403);
    }
    expect(telemetry.metrics).toEqual(Array(3).fill('SignatureMismatch'));
    expect(readHeartbeatKey).not.toHaveBeenCalled();
  });
});

describe('the header of heartbeats', () => {
  it.each([['0'], ['true'], ['1,1'], ['']])('selects nothing with the value "%s"', async (value) => {
    const { post } = setUp();
    expect(await post(sign(live, body), { 'payhooks-heartbeat': value })).toBe(202);
    expect(await post(sign(heartbeat, body), { 'payhooks-heartbeat': value })).toBe(403);
  });

  it('selects nothing in a stack without heartbeats', async () => {
    const { post } = setUp({ hasHeartbeat: false });
    expect(await post(sign(live, body), isHeartbeat)).toBe(202);
  });
});

describe('parseHeartbeatKey', () => {
  it.each(['', 'pri_live', 'AB'.repeat(32), 'ab'.repeat(31), `${'ab'.repeat(32)}\n`])(
    'refuses %j, and does not quote it',
    (text) => {
      expect(() => parseHeartbeatKey(text)).toThrow(MalformedSecretError);
      expect(() => parseHeartbeatKey(text)).toThrow(
        /^The heartbeat key is not 64 lowercase hexadecimal digits\.$/,
      );
    },
  );
});
