import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { defaultRetryPolicy } from '../../src/client/index.ts';
import { pageJson, type Scripted, startClient, unauthenticated, uuid, webhookJson } from './service.ts';

const registration = { url: 'https://shop.example/', enabled_events: ['transaction.paid'] };
const busy: Scripted = { status: 503 };

describe('errors', () => {
  it("7 a 401 is an UnauthenticatedError with the service's message", async () => {
    const { client, received } = await startClient({}, unauthenticated);
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'UnauthenticatedError',
      status: 401,
      serviceMessage: 'Unauthenticated',
      message: 'listWebhooks was answered 401, "Unauthenticated".',
    });
    expect(received).toHaveLength(1);
  });

  it("7 a 403 is a ForbiddenError with the service's message, the scope and what else it may be", async () => {
    const { client, received } = await startClient({}, { status: 403, json: { message: 'Not permitted' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'ForbiddenError',
      serviceMessage: 'Not permitted',
      requiredScope: 'view-webhooks',
      message:
        'listWebhooks was answered 403, "Not permitted". An OAuth token may lack the scope view-webhooks; ' +
        'the account may be inactive or its identity unverified.',
    });
    await expect(client.createWebhook(registration)).rejects.toMatchObject({ requiredScope: undefined });
    expect(received).toHaveLength(2);
  });

  it.each(['<html>', '', 'null', '{"message":7}', '[]'])(
    '7 another body, %j, is no message',
    async (text) => {
      const { client } = await startClient({}, { status: 401, text });
      await expect(client.listWebhooks()).rejects.toMatchObject({
        name: 'UnauthenticatedError',
        serviceMessage: undefined,
        message: 'listWebhooks was answered 401, without a message.',
      });
    },
  );

  it('7 a message of the service is one line of bounded length', async () => {
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

  it('4 a refused connection is an UnreachableError that says so and keeps its cause', async () => {
    const { client, stop, pauses } = await startClient({}, {});
    stop();
    await expect(client.createWebhook(registration)).rejects.toMatchObject({
      name: 'UnreachableError',
      maybeExecuted: false,
      message: 'createWebhook got no answer from the payment service; it was not sent.',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
    // Not sent, so that even this operation is worth repeating.
    expect(pauses).toHaveLength(2);
  });

  it.each(['hang', 'stall'] as const)('4 a service that %ss has its time', async (fault) => {
    const policy = { ...defaultRetryPolicy, attemptsMax: 1, attemptMillisecondsMax: 50 };
    const { client } = await startClient({ policy }, { fault });
    await expect(client.listWebhooks()).rejects.toMatchObject({
      name: 'UnreachableError',
      maybeExecuted: true,
      cause: { name: 'TimeoutError' },
    });
  });

  it('4 an abort ends a call with its own reason, in a request and in a pause', async () => {
    const stop = new AbortController();
    const hanging = await startClient({}, { fault: 'hang' });
    const first = hanging.client.listWebhooks({ signal: stop.signal });
    await pause(20);
    stop.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    const patient = { ...defaultRetryPolicy, pauseMilliseconds: 60_000, pauseMillisecondsMax: 60_000 };
    const pausing = await startClient({ policy: patient, sleep: undefined }, busy);
    const second = pausing.client.listWebhooks({ signal: AbortSignal.timeout(50) });
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(pausing.received).toHaveLength(1);
  });
});

describe('repetition', () => {
  it.each<[string, Scripted]>([
    ['is busy', busy],
    ['slows down', { status: 429 }],
    ['fails', { status: 500 }],
    ['hangs up', { fault: 'cut' }],
  ])('4.1, 4.3, 4.4, 4.7 are sent again to a service that %s', async (_, fault) => {
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
  ])('4.2 is not sent again to a service that %s: it may have been executed', async (_, fault) => {
    const { client, received } = await startClient({}, fault, { json: webhookJson(1) });
    await expect(client.createWebhook(registration)).rejects.toThrow('createWebhook');
    expect(received).toHaveLength(1);
  });

  it('4.2 is sent again to a service that slows down', async () => {
    const { client, received } = await startClient({}, { status: 429 }, { json: webhookJson(1) });
    expect((await client.createWebhook(registration)).id).toBe(uuid(1));
    expect(received).toHaveLength(2);
  });

  it('4.1 is given up after three attempts, with pauses that double', async () => {
    const { client, received, pauses } = await startClient({}, busy);
    await expect(client.listWebhooks()).rejects.toMatchObject({ name: 'StatusError', status: 503 });
    expect(received).toHaveLength(3);
    expect(pauses).toEqual([125, 250]);
  });

  it('4.1 waits as long as Retry-After asks', async () => {
    const now = () => Date.UTC(2026, 10, 2, 9, 0, 0);
    const date = 'Mon, 02 Nov 2026 09:00:07 GMT';
    const { client, pauses } = await startClient(
      { now },
      { status: 503, headers: { 'retry-after': '3' } },
      { status: 429, headers: { 'retry-after': date } },
      { json: pageJson([]) },
    );
    await client.listWebhooks();
    expect(pauses).toEqual([3_000, 7_000]);
  });

  it('4.1 does not wait longer than the policy allows, and says what was asked', async () => {
    const { client, pauses } = await startClient({}, { status: 503, headers: { 'retry-after': '3600' } });
    await expect(client.listWebhooks()).rejects.toMatchObject({ retryAfterMilliseconds: 3_600_000 });
    expect(pauses).toEqual([]);
  });

  it.each([400, 401, 403, 404, 422, 501])('4.1 is not sent again after a %i', async (status) => {
    const { client, received } = await startClient({}, { status });
    await expect(client.listWebhooks()).rejects.toMatchObject({ status });
    expect(received).toHaveLength(1);
  });
});
