import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { NoResponseError } from '../src/index.ts';
import { body, firstThen, order, problem, quick, rejection, scene, signing } from './scene.ts';

setFlagsFromString('--expose-gc');
/** What Node does by itself when memory runs low. */
const collectGarbage: () => void = runInNewContext('gc');

describe('a retry', () => {
  it.each([429, 500, 502, 503, 504])('follows the status %i', async (status) => {
    const { client, requests } = await scene(firstThen({ status, text: '{"message":"Later"}' }));
    expect(await client.order('order-1')).toEqual(order);
    expect(requests).toHaveLength(2);
  });

  it.each([201, 206, 301, 400, 401, 403, 404, 413, 501, 600, 999])(
    'does not follow the status %i, which is no order either',
    async (status) => {
      const { client, requests } = await scene(() => ({
        status,
        headers: { location: '/elsewhere' },
        text: body,
      }));
      expect(await rejection(client.order('order-1'))).toMatchObject({ name: 'ProblemError', status });
      expect(requests).toHaveLength(1);
    },
  );

  it('is made three times at most; the error is that of the last response', async () => {
    const { client, requests } = await scene((_, count) => problem(500, { detail: `Attempt ${count}.` }));
    expect(await rejection(client.order('order-1'))).toMatchObject({
      message: '500 Title: Attempt 4.',
      problem: { type: 'about:blank', title: 'Title', status: 500, detail: 'Attempt 4.' },
    });
    expect(requests).toHaveLength(4);
  });

  it('obeys the number of attempts and the statuses that the caller sets', async () => {
    const retry = { ...quick, attemptsMax: 2, statuses: [418] };
    const { client, requests } = await scene(() => ({ status: 418 }), { retry });
    await rejection(client.order('order-1'));
    expect(requests).toHaveLength(2);
  });

  it.each([
    ['cut', 'TypeError', 'other side closed'],
    ['hang', 'TimeoutError', 'The operation was aborted due to timeout'],
    ['stall', 'TimeoutError', 'The operation was aborted due to timeout'],
  ] as const)(
    'fails with the cause when no attempt got a response, without signature and token: %s',
    async (fault, name, reason) => {
      const attemptMillisecondsMax = fault === 'cut' ? quick.attemptMillisecondsMax : 50;
      const retry = { ...quick, attemptsMax: 2, attemptMillisecondsMax };
      const counted = vi.fn(fetch);
      const { client, baseUrl } = await scene(() => ({ fault }), { ...signing, retry, fetch: counted });
      const error = await rejection(client.order('order-1'));
      expect(error).toBeInstanceOf(NoResponseError);
      expect(error).toMatchObject({ message: `No response from ${baseUrl}: ${reason}.`, cause: { name } });
      expect(counted).toHaveBeenCalledTimes(2);
      const printed = inspect(error, { depth: 20, showHidden: true });
      expect(printed).toContain('NoResponseError');
      expect(printed).not.toMatch(/SESSION-TOKEN|AWS4-HMAC|Signature=/);
    },
  );

  it('names the code of a refused connection to a name of several addresses', async () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const refusing = () => Promise.reject(new TypeError('fetch failed', { cause }));
    const { client, baseUrl } = await scene(() => ({}), { fetch: refusing });
    const message = `No response from ${baseUrl}: ECONNREFUSED.`;
    expect(await rejection(client.order('order-1'))).toMatchObject({ message });
  });

  it('ends a hanging attempt also when garbage is collected meanwhile', async () => {
    const retry = { ...quick, attemptsMax: 1, attemptMillisecondsMax: 200 };
    const { client } = await scene(() => ({ fault: 'hang' }), { ...signing, retry });
    const collecting = setInterval(collectGarbage, 20);
    onTestFinished(() => clearInterval(collecting));
    expect(await rejection(client.order('order-1'))).toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  it('waits for the time in Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:29.900Z') });
    const headers = { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' };
    const { client } = await scene(firstThen({ status: 503, headers }));
    const before = performance.now();
    await client.order('order-1');
    expect(performance.now() - before).toBeGreaterThanOrEqual(99);
  });

  it.each([
    ['3600', 3_600_000],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 3_600_000],
    ['Sat, 21 Nov 2026 09:59:59 GMT', undefined],
    ['0', undefined],
    ['-5', undefined],
    ['soon', undefined],
  ])(
    'is not made when Retry-After exceeds the policy; the error has the time of %j',
    async (header, time) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:00Z') });
      const other = { 'ratelimit-reset': '3600', 'x-ratelimit-reset': '3600' };
      const { client, requests } = await scene(() => ({
        status: 429,
        headers: { 'retry-after': header, ...other },
      }));
      expect(await rejection(client.order('order-1'))).toHaveProperty('retryAfterMilliseconds', time);
      expect(requests).toHaveLength(time === undefined ? 4 : 1);
    },
  );
});
