import { getEventListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { pageJson, quickPolicy, type Scripted, startClient, uuid, webhookJson } from './service.ts';

const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };
const busy: Scripted = { status: 503 };

describe('an error of the client', () => {
  it.each<[string, string | undefined, string]>([
    ['{"message":"Unauthenticated"}', 'Unauthenticated', '"Unauthenticated"'],
    ['<html>', undefined, 'without a message'],
    ['[]', undefined, 'without a message'],
  ])('7 a 401 with the body %s is an UnauthenticatedError', async (text, serviceMessage, shown) => {
    const { client } = await startClient({}, { status: 401, text });
    const message = `listWebhooks failed with status 401, ${shown}.`;
    const expected = { name: 'UnauthenticatedError', status: 401, serviceMessage, message };
    await expect(client.listWebhooks()).rejects.toMatchObject(expected);
  });

  it.each([
    ['{"error":"denied"}', 'denied'],
    ['{"error":"a_b_c_d_e_f"}', undefined],
    ['{"error":"pri_3f2b9c1e77","message":"no"}', undefined],
  ])('has the error code of RFC 6749 in a response of %s', async (text, errorCode) => {
    const { client } = await startClient({}, { status: 400, text });
    await expect(client.listWebhooks()).rejects.toMatchObject({ status: 400, errorCode });
  });

  it("7 a 403 is a ForbiddenError with the service's message, the scope and what else it may be", async () => {
    const { client } = await startClient({}, { status: 403, json: { message: 'Not permitted' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'ForbiddenError',
      message:
        'listWebhooks failed with status 403, "Not permitted". An OAuth token may lack the scope view-webhooks; ' +
        'the account may be inactive or its identity unverified.',
    });
    await expect(client.createWebhook(registration)).rejects.toThrow('may lack the scope of the operation;');
  });

  it('7 has the message of the service, cut to one line of 300 characters', async () => {
    const message = `no\n\u001b[31msuch\u2028thing ${'x'.repeat(1000)}`;
    const { client } = await startClient({}, { status: 422, json: { message } });
    const error = await client.createWebhook(registration).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StatusError', status: 422 });
    expect(error).toHaveProperty('serviceMessage', `no [31msuch thing ${'x'.repeat(282)}`);
  });

  it('4 a refused connection is an UnreachableError with its cause, after three attempts', async () => {
    let attempts = 0;
    const fetch = (request: Request) => {
      attempts += 1;
      return globalThis.fetch(request);
    };
    const { client, stop } = await startClient({ fetch });
    await stop();
    await expect(client.createWebhook(registration)).rejects.toMatchObject({
      name: 'UnreachableError',
      maybeExecuted: false,
      message:
        'createWebhook got no response from the payment service; it was not sent. Network error: ECONNREFUSED.',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
    expect(attempts).toBe(3);
  });

  it.each(['hang', 'stall'] as const)(
    '4 a service that %ss is given up when the time of the attempt is up',
    async (fault) => {
      const policy = { ...quickPolicy, attemptsMax: 1, attemptMillisecondsMax: 50 };
      const { client } = await startClient({ policy }, { fault });
      await expect(client.listWebhooks()).rejects.toMatchObject({
        name: 'UnreachableError',
        maybeExecuted: true,
        message: expect.stringMatching(/; it may have been executed\. The call took too long\.$/),
        cause: { name: 'TimeoutError', message: 'no response within 50 ms' },
      });
    },
  );

  const failing = (change: object, Kind = Error) => Object.assign(new Kind('failed'), change);
  const unconnected = failing({ syscall: 'connect' });
  const circular = failing({});
  circular.cause = circular;
  const unconnectedBelow = (causes: number): Error =>
    causes === 0 ? unconnected : failing({ cause: unconnectedBelow(causes - 1) });
  const reset = failing({ syscall: 'read', code: 'ECONNRESET' });
  const connectTimeout = failing({ code: 'UND_ERR_CONNECT_TIMEOUT' });
  it.each<[string, unknown, boolean, string?]>([
    ['no connection in time', connectTimeout, false, 'Network error: UND_ERR_CONNECT_TIMEOUT.'],
    ['no connection, five causes deep', unconnectedBelow(5), false],
    ['no connection to each of two addresses', new AggregateError([unconnected, unconnected]), false],
    ['one of two failures after a connection', new AggregateError([unconnected, failing({})]), true],
    ['a broken connection', failing({ cause: reset }), true, 'Network error: ECONNRESET.'],
    ['a time-out of fetch', failing({ name: 'TimeoutError' }), true, 'The call took too long.'],
    ['an error that is its own cause', circular, true],
    ['what is no error', 'broken', true],
  ])(
    '4 with %s has the reason and maybeExecuted right, and a POST is repeated only when it was not sent',
    async (...given) => {
      const [, cause, maybeExecuted, reason = ''] = given;
      let attempts = 0;
      const fetch = async () => {
        attempts += 1;
        throw cause;
      };
      const { client } = await startClient({ fetch }, {});
      const message = expect.stringMatching(new RegExp(`(executed|sent)\\. ?${reason}$`));
      const expected = { name: 'UnreachableError', maybeExecuted, message };
      await expect(client.createWebhook(registration)).rejects.toMatchObject(expected);
      expect(attempts).toBe(maybeExecuted ? 1 : 3);
    },
  );

  it('4 an abort ends the wait for a credential, and the signal keeps no listener of a call', async () => {
    const stop = new AbortController();
    const forever = new Promise<string>(() => undefined);
    const authentication = {
      authorization() {
        stop.abort(new Error('enough'));
        return forever;
      },
    };
    const { client, received } = await startClient({ authentication }, {});
    await expect(client.listWebhooks({ signal: stop.signal })).rejects.toThrow('enough');
    expect(received).toEqual([]);
    const { signal } = new AbortController();
    const fetch = async () => Response.json(pageJson([]));
    await (await startClient({ fetch }, {})).client.listWebhooks({ signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('4 an abort ends a call with its own reason, in a request and in a pause', async () => {
    const stop = new AbortController();
    const hanging = await startClient({}, { fault: 'hang' });
    const first = hanging.client.listWebhooks({ signal: stop.signal });
    first.catch(() => undefined);
    await expect.poll(() => hanging.received).toHaveLength(1);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const patient = { ...quickPolicy, pauseMilliseconds: 60_000, pauseMillisecondsMax: 60_000 };
    const responded = Promise.withResolvers<void>();
    const fetch = async (request: Request) => {
      const response = await globalThis.fetch(request);
      responded.resolve();
      return response;
    };
    const pausing = await startClient({ policy: patient, fetch }, busy);
    const stopPause = new AbortController();
    const second = pausing.client.listWebhooks({ signal: stopPause.signal });
    second.catch(() => undefined);
    await responded.promise;
    await nextTurn();
    stopPause.abort(new Error('enough, too'));
    await expect(second).rejects.toThrow('enough, too');
    expect(pausing.received).toHaveLength(1);
  });
});

describe('a request of the client', () => {
  it('4.3 is repeated when the service is busy', async () => {
    const { client } = await startClient({}, busy, busy, { json: webhookJson(1) });
    expect((await client.updateWebhook(uuid(1), registration)).id).toBe(uuid(1));
  });

  it('4.2 is not repeated when the service is busy, because it may have been executed', async () => {
    const { client, received } = await startClient({}, busy, { json: webhookJson(1) });
    await expect(client.createWebhook(registration)).rejects.toThrow('createWebhook');
    expect(received).toHaveLength(1);
  });

  it('4.2 is repeated after a 429', async () => {
    const { client, received } = await startClient({}, { status: 429 }, { json: webhookJson(1) });
    expect((await client.createWebhook(registration)).id).toBe(uuid(1));
    expect(received).toHaveLength(2);
  });

  it.each([
    ['the time of Retry-After', { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, 295],
    ["the policy's pause when Retry-After is 0", { 'retry-after': '0' }, 55],
    ["the policy's pause despite RateLimit-Reset", { 'ratelimit-reset': '10' }, 55],
  ])('4.1 is repeated after %s', async (_, headers, millisecondsMin) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-21T10:00:29.700Z') });
    const policy = { ...quickPolicy, pauseMilliseconds: 120, pauseMillisecondsMax: 120 };
    const { client } = await startClient({ policy }, { status: 500, headers }, { json: pageJson([]) });
    const before = performance.now();
    await client.listWebhooks();
    // A longer pause, such as the ten seconds of the other headers, ends in vitest's own time limit.
    expect(performance.now() - before).toBeGreaterThan(millisecondsMin);
  });

  it('4.1 gives up when Retry-After is longer than the policy allows', async () => {
    const { client, received } = await startClient({}, { status: 503, headers: { 'retry-after': '3600' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ retryAfterMilliseconds: 3_600_000 });
    expect(received).toHaveLength(1);
  });

  it.each([
    [307, 1],
    [400, 1],
    [503, 3],
    [600, 1],
  ])('4.1 a %i is an error after %i attempts, and no redirect is followed', async (status, attempts) => {
    const { client, received } = await startClient({}, { status, headers: { location: '/elsewhere' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ status });
    expect(received).toHaveLength(attempts);
  });
});
