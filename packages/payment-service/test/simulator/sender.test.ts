import { describe, expect, it } from 'vitest';
import { pauseAfter } from '../../src/simulator/delivery/retry-schedule.ts';
import { type DeliveryOptions, sendUntilAcknowledged } from '../../src/simulator/delivery/sender.ts';
import { type Delivery, noRetries } from '../../src/simulator/index.ts';
import { startService } from '../client/service.ts';
import { anHour, runReceiver } from './running-simulator.ts';

const body = Buffer.from('{ "id":"é" }');
const privateKey = 'pri_test';

const send = (options: Omit<DeliveryOptions, 'body' | 'privateKey'>) =>
  sendUntilAcknowledged({ body, privateKey, schedule: noRetries, ...options });

describe('the sender', () => {
  it('does not follow a redirect, because only 2xx acknowledges', async () => {
    const { url, received } = await runReceiver(307, 202);
    expect((await send({ url })).attempts).toMatchObject([{ number: 1, result: { status: 307 } }]);
    expect(received).toHaveLength(1);
  });

  it('counts a receiver that does not respond in time as an attempt', async () => {
    const { baseUrl: url } = await startService({ fault: 'hang' });
    const schedule = { ...noRetries, attemptTimeoutMilliseconds: 20 };
    expect((await send({ url, schedule })).attempts).toMatchObject([{ result: { error: 'timeout' } }]);
  });

  it('reports each attempt and when the pending retry is due, and stops with the signal', async () => {
    const { url } = await runReceiver(503);
    const stop = new AbortController();
    const schedule = { ...noRetries, pausesMilliseconds: [anHour] };
    const updates: Delivery[] = [];
    function onUpdate(delivery: Delivery): void {
      updates.push(delivery);
      if (delivery.attempts.length > 0) stop.abort();
    }
    const delivered = await send({ url, schedule, onUpdate, signal: stop.signal });
    expect(updates).toMatchObject([
      { state: 'pending', attempts: [], retryAt: null },
      { state: 'pending', attempts: [{ result: { status: 503, body: 'response 503' } }] },
      { state: 'stopped', retryAt: null },
    ]);
    expect(Date.parse(updates[1]?.retryAt ?? '') - Date.now()).toBeGreaterThan(anHour - 600_000);
    expect(delivered).toEqual(updates[2]);
  });

  it('shows the code of a failed attempt, and the first 1,024 bytes of a response', async () => {
    const { baseUrl: url, stop } = await startService({ text: 'x'.repeat(100_000) });
    expect((await send({ url })).attempts).toMatchObject([{ result: { body: 'x'.repeat(1_024) } }]);
    await stop();
    expect((await send({ url })).attempts).toMatchObject([{ result: { error: 'ECONNREFUSED' } }]);
  });

  it('refuses a private key of another form without quoting it', async () => {
    const delivery = sendUntilAcknowledged({ url: 'http://127.0.0.1:1', body, privateKey: 'secret' });
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
