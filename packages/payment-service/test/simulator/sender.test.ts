import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../src/simulator/delivery/retry-schedule.ts';
import { createSender, type Delivery, noRetries } from '../../src/simulator/index.ts';
import { serve } from '../server.ts';
import { anHour, runReceiver } from './running-simulator.ts';

const body = Buffer.from('{ "id":"é" }');
const privateKey = 'pri_test';

const outcomes = (delivery: Delivery) =>
  delivery.attempts.map(({ number, result }) => [number, 'status' in result ? result.status : result.error]);

describe('the sender', () => {
  it('signs the exact bytes with HMAC-SHA256 in lowercase hexadecimal', async () => {
    const { url, received } = await runReceiver(202);
    await createSender({ url }).deliver({ body, privateKey });
    // printf '{ "id":"é" }' | openssl dgst -sha256 -hmac pri_test
    const signature = '729aec2d8cf5b151bca629f14132cf5bf2cfbace7e9b7e204b92da7bbc0b963f';
    expect(received).toMatchObject([{ body: '{ "id":"é" }', signature }]);
  });

  it('does not follow a redirect, because only 2xx acknowledges', async () => {
    const { url, received } = await runReceiver(307, 202);
    const delivery = await createSender({ url, schedule: noRetries }).deliver({ body, privateKey });
    expect(outcomes(delivery)).toEqual([[1, 307]]);
    expect(received).toHaveLength(1);
  });

  it('counts a receiver that does not respond in time as an attempt', async () => {
    const { baseUrl } = await serve(() => undefined);
    const schedule = { ...noRetries, attemptTimeoutMilliseconds: 20 };
    const delivery = await createSender({ url: baseUrl, schedule }).deliver({ body, privateKey });
    expect(outcomes(delivery)).toEqual([[1, 'timeout']]);
  });

  it('reports each attempt and when the pending retry is due, and stops with the signal', async () => {
    const { url } = await runReceiver(503);
    const stop = new AbortController();
    const schedule = { ...noRetries, pausesMilliseconds: [anHour] };
    const updates: Delivery[] = [];
    const sender = createSender({
      url,
      schedule,
      onUpdate(delivery, attempt) {
        updates.push(delivery);
        if (attempt !== undefined) stop.abort();
      },
    });
    const delivered = await sender.deliver({ body, privateKey, signal: stop.signal });
    expect(updates).toMatchObject([
      { state: 'pending', attempts: [], retryAt: null },
      { state: 'pending', attempts: [{ result: { status: 503, body: 'response 503' } }] },
      { state: 'stopped', retryAt: null },
    ]);
    expect(Date.parse(updates[1]?.retryAt ?? '') - Date.now()).toBeGreaterThan(anHour - 600_000);
    expect(delivered).toEqual(updates[2]);
  });

  it('refuses a private key of another form without quoting it', async () => {
    const sender = createSender({ url: 'http://127.0.0.1:1' });
    const delivery = sender.deliver({ body, privateKey: 'secret' });
    await expect(delivery).rejects.toThrow('The private key does not have the form pri_<identifier>.');
  });
});

describe('the retry schedule', () => {
  const schedule = { ...noRetries, pausesMilliseconds: [500, 1_000], retryAfterMillisecondsMax: 30_000 };

  it('ends with its last pause', () => {
    const pauses = [1, 2, 3].map((number) => pauseAfter(schedule, number, new Headers()));
    expect(pauses).toEqual([500, 1_000, undefined]);
  });

  it.each([
    ['5', 5_000],
    ['0', 500],
    ['86400', 30_000],
  ])('turns a Retry-After of %s into a pause of %i ms', (seconds, milliseconds) => {
    expect(pauseAfter(schedule, 1, new Headers({ 'retry-after': seconds }))).toBe(milliseconds);
  });
});
