import { describe, expect, it } from 'vitest';
import type { QueueMessage } from '../lambdas/contract/queue-message.ts';
import { createSigningKey, type SigningKey, sign } from '../lambdas/domain/signature.ts';
import type { KeyRing } from '../lambdas/verifier/key-ring.ts';
import { createVerifier } from '../lambdas/verifier/verifier.ts';
import { gatewayEvent } from './doubles/gateway-event.ts';
import { recordTelemetry } from './doubles/telemetry.ts';

const live = createSigningKey('pri_test_key');
const rotated = createSigningKey('pri_rotated_key');
const sandbox = createSigningKey('pri_sandbox_test_key');
const body = Buffer.from('{"id":"evt-1","name":"é\\u0000😀\uffff"}');

interface Request {
  readonly body?: Buffer;
  readonly signature?: string | undefined;
  readonly base64?: boolean;
}

function scene(keys: readonly SigningKey[] = [live, sandbox], reread?: readonly SigningKey[]) {
  const queued: QueueMessage[] = [];
  const calls = { current: 0, reread: 0 };
  const telemetry = recordTelemetry();
  const ring: KeyRing = {
    current: async () => {
      calls.current += 1;
      return keys;
    },
    reread: async () => {
      calls.reread += 1;
      return reread;
    },
  };
  const state = { queueFault: undefined as Error | undefined };
  const verifier = createVerifier({
    signatureHeader: 'x-service-signature',
    keys: ring,
    enqueue: async (message) => {
      if (state.queueFault !== undefined) throw state.queueFault;
      queued.push(message);
    },
    now: () => Date.parse('2026-11-21T10:00:00.000Z'),
    telemetry,
  });
  const post = ({ body: sent = body, signature = sign(live, sent), base64 = false }: Request = {}) =>
    verifier(
      gatewayEvent({
        routeKey: 'POST /webhooks/payments',
        headers: signature === '' ? {} : { 'x-service-signature': signature },
        isBase64Encoded: base64,
        ...(sent.length === 0 ? {} : { body: sent.toString(base64 ? 'base64' : 'utf8') }),
      }),
    );
  return { post, queued, calls, telemetry, state };
}

const forbidden = {
  statusCode: 403,
  headers: { 'content-type': 'application/json' },
  body: '{"message":"Invalid signature"}',
};
const unavailable = {
  statusCode: 503,
  headers: { 'content-type': 'application/json', 'retry-after': '5' },
  body: '{"message":"Service unavailable"}',
};

describe('the verifier', () => {
  it.each([false, true])('queues the bytes as received and answers 202 (base64 %s)', async (base64) => {
    const { post, queued } = scene();
    expect(await post({ base64 })).toEqual({
      statusCode: 202,
      headers: { 'content-type': 'application/json' },
      body: '{"status":"accepted"}',
    });
    expect(queued).toEqual([
      {
        body,
        mode: 'live',
        keyId: '9a76d0a46113',
        receivedAt: '2026-11-21T10:00:00.000Z',
        requestId: 'request-1',
      },
    ]);
  });

  it('takes the mode from the key that matched', async () => {
    const { post, queued } = scene();
    await post({ signature: sign(sandbox, body) });
    expect(queued.map(({ mode }) => mode)).toEqual(['sandbox']);
  });

  it.each([
    ['none', '', 'SignatureMissing'],
    ['one in upper case', sign(live, body).toUpperCase(), 'SignatureMalformed'],
    ['two', `${sign(live, body)},${sign(live, body)}`, 'SignatureMalformed'],
    ['one that is too short', sign(live, body).slice(2), 'SignatureMalformed'],
    ["another key's", sign(rotated, body), 'SignatureMismatch'],
    ["another body's", sign(live, Buffer.from('{}')), 'SignatureMismatch'],
  ])('answers alike and queues nothing for a signature that is %s', async (_, signature, metric) => {
    const { post, queued, telemetry } = scene();
    expect(await post({ signature })).toEqual(forbidden);
    expect(queued).toEqual([]);
    expect(telemetry.metrics).toEqual([metric]);
  });

  it('asks for no key when the header cannot be a signature', async () => {
    const { post, calls } = scene();
    await post({ signature: '' });
    await post({ signature: 'x'.repeat(64) });
    expect(calls).toEqual({ current: 0, reread: 0 });
  });

  it('accepts a key that the secret got since it was last read', async () => {
    const { post, queued, calls } = scene([live], [rotated, live]);
    expect(await post({ signature: sign(rotated, body) })).toMatchObject({ statusCode: 202 });
    expect(queued).toHaveLength(1);
    expect(calls).toEqual({ current: 1, reread: 1 });
  });

  it('refuses a forgery after the secret was read again', async () => {
    const { post } = scene([live], [live]);
    expect(await post({ signature: sign(rotated, body) })).toEqual(forbidden);
  });

  it('answers 503 and never 403 when there is no key to trust', async () => {
    const { post, telemetry } = scene([]);
    expect(await post()).toEqual(unavailable);
    expect(telemetry.metrics).toEqual(['KeysUnavailable']);
    expect(await scene([live], []).post({ signature: sign(rotated, body) })).toEqual(unavailable);
  });

  it('answers 503 when the queue refuses, whatever the error says', async () => {
    const { post, state, telemetry } = scene();
    state.queueFault = new Error('secret detail');
    expect(await post()).toEqual(unavailable);
    expect(telemetry.metrics).toEqual(['QueueUnavailable']);
    expect(JSON.stringify(telemetry.lines)).not.toContain('secret detail');
  });

  it('accepts 256 KiB and answers 413 to one byte more', async () => {
    const { post, queued } = scene();
    expect(await post({ body: Buffer.alloc(262_144, 'a') })).toMatchObject({ statusCode: 202 });
    expect(await post({ body: Buffer.alloc(262_145, 'a') })).toEqual({
      statusCode: 413,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"The body exceeds 262144 bytes"}',
    });
    expect(queued).toHaveLength(1);
  });

  it('counts bytes and not characters', async () => {
    expect(await scene().post({ body: Buffer.from('é'.repeat(131_073)) })).toMatchObject({ statusCode: 413 });
  });

  it('refuses an empty body unless its signature is right', async () => {
    const { post, queued } = scene();
    expect(await post({ body: Buffer.alloc(0), signature: 'a'.repeat(64) })).toEqual(forbidden);
    expect(await post({ body: Buffer.alloc(0) })).toMatchObject({ statusCode: 202 });
    expect(queued.map((message) => message.body.length)).toEqual([0]);
  });

  it('logs neither body nor signature nor key, and flushes once per request', async () => {
    const { post, telemetry } = scene();
    await post();
    await post({ signature: sign(rotated, body) });
    const lines = JSON.stringify(telemetry.lines);
    for (const secret of ['evt-1', sign(live, body), sign(rotated, body), 'pri_'])
      expect(lines).not.toContain(secret);
    expect(telemetry.flushes()).toBe(2);
  });
});
