import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { noRetries, parseRetryAfter, pauseAfter } from '../../src/simulator/delivery/retry-timing.ts';
import { createSender, type Delivery } from '../../src/simulator/delivery/sender.ts';

const quick = { ...noRetries, pausesMilliseconds: [0, 0, 0] };
const privateKey = 'pri_test';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(listener: RequestListener): Promise<string> {
  const created = createServer(listener);
  server = created;
  await new Promise<void>((resolve) => created.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(created.address() as AddressInfo).port}/webhooks/payments`;
}

/** A receiver that answers with these statuses, one after another, the last one for ever. */
async function receiver(...statuses: number[]): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const url = await listen(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.statusCode = statuses[Math.min(received.length, statuses.length) - 1] ?? 500;
    if (response.statusCode === 307) response.setHeader('location', '/elsewhere');
    response.end(`answer ${received.length}`);
  });
  return { url, received };
}

const outcomes = (delivery: Delivery) =>
  delivery.attempts.map(({ number, result }) => [number, 'status' in result ? result.status : result.error]);

describe('the sender', () => {
  it('signs the exact bytes with HMAC-SHA256 in lowercase hexadecimal', async () => {
    const { url, received } = await receiver(202);
    await createSender({ url }).deliver({ body: Buffer.from('{ "id":"é" }'), privateKey });
    expect(received[0]?.body.toString('utf8')).toBe('{ "id":"é" }');
    expect(received[0]?.headers['content-type']).toBe('application/json');
    // printf '{ "id":"é" }' | openssl dgst -sha256 -hmac pri_test
    expect(received[0]?.headers['x-service-signature']).toBe(
      '729aec2d8cf5b151bca629f14132cf5bf2cfbace7e9b7e204b92da7bbc0b963f',
    );
  });

  it('puts the signature under the header name it is given', async () => {
    const { url, received } = await receiver(202);
    await createSender({ url, signatureHeader: 'X-Shop-Signature' }).deliver({
      body: Buffer.from('{}'),
      privateKey,
    });
    expect(received[0]?.headers['x-shop-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(received[0]?.headers['x-service-signature']).toBeUndefined();
  });

  it('sends again the same bytes until the answer is 2xx', async () => {
    const { url, received } = await receiver(503, 500, 202);
    const delivery = await createSender({ url, schedule: quick }).deliver({
      body: Buffer.from('{}'),
      privateKey,
    });
    expect(outcomes(delivery)).toEqual([
      [1, 503],
      [2, 500],
      [3, 202],
    ]);
    expect(delivery.state).toBe('delivered');
    expect(received.map(({ body }) => body.toString())).toEqual(['{}', '{}', '{}']);
    expect(new Set(received.map(({ headers }) => headers['x-service-signature'])).size).toBe(1);
  });

  it('gives up when the schedule is used up', async () => {
    const { url, received } = await receiver(403);
    const delivery = await createSender({ url, schedule: quick }).deliver({
      body: Buffer.from('{}'),
      privateKey,
    });
    expect(delivery.state).toBe('failed');
    expect(delivery.retryAt).toBeNull();
    expect(received).toHaveLength(4);
  });

  it('does not follow a redirect, for only 2xx acknowledges', async () => {
    const { url, received } = await receiver(307, 202);
    const delivery = await createSender({ url, schedule: noRetries }).deliver({
      body: Buffer.from('{}'),
      privateKey,
    });
    expect(outcomes(delivery)).toEqual([[1, 307]]);
    expect(received).toHaveLength(1);
  });

  it('counts a refused connection as an attempt, with the reason', async () => {
    const { url } = await receiver(202);
    server?.close();
    const delivery = await createSender({ url, schedule: { ...quick, pausesMilliseconds: [0] } }).deliver({
      body: Buffer.from('{}'),
      privateKey,
    });
    expect(outcomes(delivery)).toEqual([
      [1, 'ECONNREFUSED'],
      [2, 'ECONNREFUSED'],
    ]);
    expect(delivery.state).toBe('failed');
  });

  it('counts a receiver that does not answer in time as an attempt', async () => {
    const url = await listen(() => undefined);
    const schedule = { ...noRetries, attemptTimeoutMilliseconds: 20 };
    const delivery = await createSender({ url, schedule }).deliver({ body: Buffer.from('{}'), privateKey });
    expect(outcomes(delivery)).toEqual([[1, 'timeout']]);
  });

  it('keeps in its history what the endpoint answered and when the pending retry is due', async () => {
    const { url } = await receiver(503);
    const stop = new AbortController();
    const schedule = { ...noRetries, pausesMilliseconds: [3_600_000] };
    const pending = Promise.withResolvers<Delivery>();
    const sender = createSender({ url, schedule, onAttempt: (_, delivery) => pending.resolve(delivery) });
    const delivered = sender.deliver({ body: Buffer.from('{}'), privateKey, signal: stop.signal });
    const first = await pending.promise;
    expect(sender.history()).toEqual([first]);
    expect(first).toMatchObject({
      state: 'pending',
      attempts: [{ result: { status: 503, answer: 'answer 1' } }],
    });
    expect(Date.parse(first.retryAt ?? '') - Date.now()).toBeGreaterThan(3_000_000);
    stop.abort();
    expect((await delivered).state).toBe('stopped');
    expect(sender.history()).toMatchObject([{ state: 'stopped', retryAt: null }]);
  });

  it('makes no attempt after it was stopped', async () => {
    const { url, received } = await receiver(202);
    const delivery = await createSender({ url }).deliver({
      body: Buffer.from('{}'),
      privateKey,
      signal: AbortSignal.abort(),
    });
    expect(delivery).toMatchObject({ state: 'stopped', attempts: [] });
    expect(received).toEqual([]);
  });
});

describe('the retry timing', () => {
  const now = Date.UTC(2026, 10, 2, 9, 0, 0);
  const schedule = {
    pausesMilliseconds: [500, 1_000],
    retryAfterMillisecondsMax: 30_000,
    attemptTimeoutMilliseconds: 1,
  };

  it('follows the schedule and ends with it', () => {
    const pauses = [1, 2, 3].map((number) => pauseAfter(schedule, { number, retryAfter: null, now }));
    expect(pauses).toEqual([500, 1_000, undefined]);
  });

  it('waits as long as the receiver asks, within bounds', () => {
    const pauses = ['5', '0', '86400'].map((retryAfter) =>
      pauseAfter(schedule, { number: 1, retryAfter, now }),
    );
    expect(pauses).toEqual([5_000, 500, 30_000]);
  });

  it('reads seconds and HTTP dates, and nothing else', () => {
    expect(parseRetryAfter('120', now)).toBe(120_000);
    expect(parseRetryAfter('Mon, 02 Nov 2026 09:00:07 GMT', now)).toBe(7_000);
    expect(parseRetryAfter('Mon, 02 Nov 2026 08:00:00 GMT', now)).toBe(0);
    for (const header of [null, '', '-1', '1.5', 'soon', '2026-11-02', 'Monday']) {
      expect(parseRetryAfter(header, now)).toBeUndefined();
    }
  });
});
