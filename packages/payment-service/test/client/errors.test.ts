import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  pageJson,
  quickPolicy,
  type Scripted,
  startClient,
  unauthenticated,
  uuid,
  webhookJson,
} from './service.ts';

const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };
const busy: Scripted = { status: 503 };

describe('errors', () => {
  it("7 a 401 is an UnauthenticatedError with the service's message", async () => {
    const { client, received } = await startClient({}, unauthenticated);
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      status: 401,
      serviceMessage: 'Unauthenticated',
      message: 'listWebhooks failed with status 401, "Unauthenticated".',
    });
    expect(received).toHaveLength(1);
  });

  it("7 a 403 is a ForbiddenError with the service's message, the scope and what else it may be", async () => {
    const { client, received } = await startClient({}, { status: 403, json: { message: 'Not permitted' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'ForbiddenError',
      serviceMessage: 'Not permitted',
      message:
        'listWebhooks failed with status 403, "Not permitted". An OAuth token may lack the scope view-webhooks; ' +
        'the account may be inactive or its identity unverified.',
    });
    await expect(client.createWebhook(registration)).rejects.toThrow('may lack the scope of the operation;');
    expect(received).toHaveLength(2);
  });

  it.each(['<html>', '', 'null', '{"message":7}', '[]'])('7 a body %j has no message', async (text) => {
    const { client } = await startClient({}, { status: 401, text });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      serviceMessage: undefined,
      message: 'listWebhooks failed with status 401, without a message.',
    });
  });

  it('7 a message of the service is cut to one line of 300 characters', async () => {
    const message = `no\n\u001b[31msuch\u2028thing ${'x'.repeat(1000)}`;
    const { client } = await startClient({}, { status: 422, json: { message } });
    const error = await client.createWebhook(registration).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'StatusError', status: 422 });
    expect(error).toHaveProperty('serviceMessage', `no [31msuch thing ${'x'.repeat(282)}`);
  });

  it('4 a redirect is an error and is not followed with the credential', async () => {
    const { client, received } = await startClient({}, { status: 307, headers: { location: '/elsewhere' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'StatusError', status: 307 });
    expect(received).toHaveLength(1);
  });

  it('4 a refused connection is an UnreachableError with its cause', async () => {
    const { client, stop } = await startClient({}, {});
    await stop();
    await expect(client.createWebhook(registration)).rejects.toMatchObject({
      name: 'UnreachableError',
      maybeExecuted: false,
      message: 'createWebhook got no response from the payment service; it was not sent.',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
  });

  it.each(['hang', 'stall'] as const)(
    '4 a service that %ss is given up when the time of the attempt is up',
    async (fault) => {
      const policy = { ...quickPolicy, attemptsMax: 1, attemptMillisecondsMax: 50 };
      const { client } = await startClient({ policy }, { fault });
      await expect(client.listWebhooks()).rejects.toMatchObject({
        name: 'UnreachableError',
        maybeExecuted: true,
        cause: { name: 'TimeoutError' },
      });
    },
  );

  it('4 an abort ends a call with its own reason, in a request and in a pause', async () => {
    const stop = new AbortController();
    const hanging = await startClient({}, { fault: 'hang' });
    const first = hanging.client.listWebhooks({ signal: stop.signal });
    await pause(20);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const patient = { ...quickPolicy, pauseMilliseconds: 60_000, pauseMillisecondsMax: 60_000 };
    const pausing = await startClient({ policy: patient }, busy);
    const second = pausing.client.listWebhooks({ signal: AbortSignal.timeout(50) });
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(pausing.received).toHaveLength(1);
  });
});

describe('repetition', () => {
  it.each<[string, Scripted]>([
    ['is busy', busy],
    ['limits the rate', { status: 429 }],
    ['fails', { status: 500 }],
    ['hangs up', { fault: 'cut' }],
  ])('4.1, 4.3, 4.4 and 4.7 are repeated when the service %s', async (_, fault) => {
    const good = { json: pageJson([]) };
    const list = await startClient({}, fault, fault, good);
    expect((await list.client.listWebhooks()).data).toEqual([]);
    expect(list.received).toHaveLength(3);
    const put = await startClient({}, fault, { json: webhookJson(1) });
    expect((await put.client.updateWebhook(uuid(1), registration)).id).toBe(uuid(1));
    const removal = await startClient({}, fault, { status: 204 });
    expect(await removal.client.deleteWebhook(uuid(1))).toBeUndefined();
    const me = await startClient({}, fault, { json: {} });
    expect(await me.client.currentAccount()).toEqual({});
  });

  it.each<[string, Scripted]>([
    ['is busy', busy],
    ['fails', { status: 500 }],
    ['hangs up', { fault: 'cut' }],
  ])('4.2 is not repeated when the service %s, because it may have been executed', async (_, fault) => {
    const { client, received } = await startClient({}, fault, { json: webhookJson(1) });
    await expect(client.createWebhook(registration)).rejects.toThrow('createWebhook');
    expect(received).toHaveLength(1);
  });

  it('4.2 is repeated after a 429', async () => {
    const { client, received } = await startClient({}, { status: 429 }, { json: webhookJson(1) });
    expect((await client.createWebhook(registration)).id).toBe(uuid(1));
    expect(received).toHaveLength(2);
  });

  it('4.1 is given up after three attempts', async () => {
    const { client, received } = await startClient({}, busy);
    await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'StatusError', status: 503 });
    expect(received).toHaveLength(3);
  });

  it('4.2 is repeated when no connection was made', async () => {
    let attempts = 0;
    const fetch = (request: Request) => {
      attempts += 1;
      return globalThis.fetch(request);
    };
    const { client, stop } = await startClient({ fetch });
    await stop();
    await expect(client.createWebhook(registration)).rejects.toMatchObject({ maybeExecuted: false });
    expect(attempts).toBe(3);
  });

  it.each([429, 500, 503])('4.1 waits after a %i for the time of Retry-After', async (status) => {
    const busyFor = { status, headers: { 'retry-after': '1' } };
    const { client, received } = await startClient({}, busyFor, { json: pageJson([]) });
    const before = performance.now();
    await client.listWebhooks();
    expect(performance.now() - before).toBeGreaterThan(950);
    expect(received).toHaveLength(2);
  });

  it('4.1 waits no longer for RateLimit-Reset than the policy allows', async () => {
    const policy = { ...quickPolicy, retryAfterMillisecondsMax: 5 };
    const limited = { status: 429, headers: { 'ratelimit-reset': '3600' } };
    const { client, received } = await startClient({ policy }, limited, { json: pageJson([]) });
    await client.listWebhooks();
    expect(received).toHaveLength(2);
  });

  it('4.1 gives up when Retry-After is longer than the policy allows', async () => {
    const { client, received } = await startClient({}, { status: 503, headers: { 'retry-after': '3600' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ retryAfterMilliseconds: 3_600_000 });
    expect(received).toHaveLength(1);
  });

  it.each([400, 401, 403, 404, 422, 501])('4.1 is not repeated after a %i', async (status) => {
    const { client, received } = await startClient({}, { status });
    await expect(client.listWebhooks()).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });
});
