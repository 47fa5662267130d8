import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../src/simulator/delivery/retry-schedule.ts';
import { createSender, type Delivery, noRetries } from '../../src/simulator/index.ts';
import { startService } from '../client/service.ts';
import { anHour, runReceiver } from './running-simulator.ts';

const body = Buffer.from('{ "id":"é" }');
const privateKey = 'pri_test';

describe('the sender', () => {
  it('does not follow a redirect, because only 2xx acknowledges', async () => {
    const { url, received } = await runReceiver(307, 202);
    const delivery = await createSender({ url, schedule: noRetries }).deliver({ body, privateKey });
    expect(delivery.attempts).toMatchObject([{ number: 1, result: { status: 307 } }]);
    expect(received).toHaveLength(1);
  });

  it('counts a receiver that does not respond in time as an attempt', async () => {
    const { baseUrl } = await startService({ fault: 'hang' });
    const schedule = { ...noRetries, attemptTimeoutMilliseconds: 20 };
    const delivery = await createSender({ url: baseUrl, schedule }).deliver({ body, privateKey });
    expect(delivery.attempts).toMatchObject([{ number: 1, result: { error: 'timeout' } }]);
  });

  it('reports each attempt and when the pending retry is due, and stops with the signal', async () => {
    const { url } = await runReceiver(503);
    const stop = new AbortController();
    const schedule = { ...noRetries, pausesMilliseconds: [anHour] };
    const updates: Delivery[] = [];
    function onUpdate(delivery: Delivery, attempt?: object): void {
      updates.push(delivery);
      if (attempt !== undefined) stop.abort();
    }
    const sender = createSender({ url, schedule, onUpdate });
    const delivered = await sender.deliver({ body, privateKey, signal: stop.signal });
    expect(updates).toMatchObject([
      { state: 'pending', attempts: [], retryAt: null },
      { state: 'pending', attempts: [{ result: { status: 503, body: 'response 503' } }] },
      { state: 'stopped', retryAt: null },
    ]);
    expect(Date.parse(updates[1]?.retryAt ?? '') - Date.now()).toBeGreaterThan(anHour - 600_000);
    expect(delivered).toEqual(updates[2]);
  });

  it.each([
    ['the code of a cause', new Error('a', { cause: Object.assign(new Error('b'), { code: 'c' }) }), 'c'],
    ['no value that is no error', 'a', 'unknown error'],
  ])('shows %s of a failed attempt', async (_, reason, error) => {
    const sender = createSender({ url: 'u', schedule: noRetries, fetch: () => Promise.reject(reason) });
    const { attempts } = await sender.deliver({ body, privateKey });
    expect(attempts).toMatchObject([{ result: { error } }]);
  });

  it('reads no more of a response than it shows', async () => {
    let pieces = 0;
    function pull(controller: ReadableStreamDefaultController): void {
      pieces += 1;
      controller.enqueue(Buffer.alloc(512, pieces < 100 ? 'x' : 'y'));
      if (pieces === 100) controller.close();
    }
    const response = new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
    const sender = createSender({ url: 'u', schedule: noRetries, fetch: async () => response });
    const { attempts } = await sender.deliver({ body, privateKey });
    expect(attempts).toMatchObject([{ result: { status: 200, body: 'x'.repeat(1_024) } }]);
    expect(pieces).toBe(2);
  });

  it('refuses a private key of another form without quoting it', async () => {
    const sender = createSender({ url: 'http://127.0.0.1:1', schedule: noRetries });
    const delivery = sender.deliver({ body, privateKey: 'secret' });
    await expect(delivery).rejects.toThrow('The private key does not have the form pri_<identifier>.');
  });
});

it.each([
  [1, undefined, 500],
  [2, undefined, 1_000],
  [3, undefined, undefined],
  [1, '5', 5_000],
  [1, '0', 500],
  [1, '86400', 30_000],
])('attempt %i with a Retry-After of %s is followed by a pause of %s ms', (number, seconds, milliseconds) => {
  const schedule = { ...noRetries, pausesMilliseconds: [500, 1_000], retryAfterMillisecondsMax: 30_000 };
  const headers = new Headers(seconds === undefined ? {} : { 'retry-after': seconds });
  expect(pauseAfter(schedule, number, headers)).toBe(milliseconds);
});
