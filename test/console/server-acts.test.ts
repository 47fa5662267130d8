import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ActPlan } from '../../console/contract.ts';
import { createAccess } from '../../console/server/admission.ts';
import { startConsole } from '../doubles/console.ts';
import {
  conflict,
  noPermission,
  type Operations,
  type OperationsRequest,
  startOperations,
} from '../doubles/operations-server.ts';

const act = { act: 'dismiss', mode: 'live', event_id: 'e1' } as const;
const result = {
  ...{ act: 'dismiss', mode: 'live', changed: true, by: 'arn:aws:iam::1:user/kim', reason: 'é' },
  ...{ at: '2026-11-22T11:00:00.000Z', events: [], orders: [] },
};
const done: Operations = () => ({ body: result });

/** A console over a deployed stack whose operations API responds so. */
async function start(respond: Operations = done) {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'very-secret');
  const requests: OperationsRequest[] = [];
  const url = await startOperations((request) => {
    requests.push(request);
    return respond(request);
  });
  const stack = { name: 'payhooks-shop', region: 'eu-west-1', outputs: { OperationsUrl: url } };
  const { post } = await startConsole({ stack: async () => stack, isProxy: true });
  async function request(path: 'plan' | 'confirm', body: unknown, headers: Record<string, string> = {}) {
    const response = await post(`/console/api/acts/${path}`, body, headers);
    return { status: response.status, body: (await response.json()) as ActPlan };
  }
  const plan = async () => (await request('plan', { act })).body;
  const confirm = (shown: { effect: string; by: string }, more: object = {}) =>
    request('confirm', {
      ...{ act, reason: 'é', is_repetition: false, shown: { effect: shown.effect, by: shown.by } },
      ...more,
    });
  return { request, plan, confirm, requests };
}

describe('an act in the console', () => {
  it('is planned without a change, and done when its plan is the same again', async () => {
    const { plan, confirm, requests } = await start();
    const shown = await plan();
    expect(shown).toMatchObject({ is_needed: true, sentence: 'If you dismiss e1, it no longer waits.' });
    expect(await confirm(shown)).toMatchObject({
      status: 200,
      body: { step: 'done', outcome: { sentence: 'Dismissed e1.', record: { event_id: 'e1' } } },
    });
    const fields = { mode: 'live', event_id: 'e1' };
    expect(requests.map(({ body }) => body)).toEqual([
      { ...fields, dry_run: true },
      { ...fields, dry_run: true, reason: 'é' },
      { ...fields, dry_run: false, reason: 'é' },
    ]);
  });

  it('is not done when its plan is another one, which is shown then', async () => {
    const { confirm, requests } = await start();
    const other = { effect: 'other', by: 'kim' };
    expect((await confirm(other)).body).toMatchObject({ step: 'changed', plan: { is_needed: true } });
    expect(requests).toMatchObject([{ body: { dry_run: true } }]);
  });

  it('that is repeated after a lost response reports that the first request did it', async () => {
    let changed = true;
    const { plan, confirm } = await start(() => ({ body: { ...result, changed } }));
    const shown = await plan();
    changed = false;
    expect((await confirm(shown, { is_repetition: true })).body).toMatchObject({
      step: 'done',
      outcome: { sentence: expect.stringMatching(/^Dismissed e1\. The first request had done it/) },
    });
  });

  it('has the page wait for what a consumer may still be working on', async () => {
    const busy = { ...conflict('Busy.'), body: { ...conflict('Busy.').body, retry_after_seconds: 7 } };
    const { request } = await start(() => busy);
    expect(await request('plan', { act })).toMatchObject({
      status: 409,
      body: {
        detail: 'Waiting 7 s: a consumer may still be working on e1.',
        retry_after_seconds: 7,
      },
    });
  });

  it('waits itself between two pages of a replay that has begun', async () => {
    const page = { ...result, act: 'replay', replayed: 1, left: [] };
    const last = { ...page, next_cursor: null, retry_after_seconds: null };
    const { request, requests } = await start(({ body }) => ({
      body: body['dry_run'] || body['cursor'] ? last : { ...page, next_cursor: 'c', retry_after_seconds: 1 },
    }));
    const run = { act: 'replay', order_id: 'o1' };
    const { body: shown } = await request('plan', { act: run });
    const { effect, by } = shown;
    expect(
      await request('confirm', { act: run, reason: 'r', is_repetition: false, shown: { effect, by } }),
    ).toMatchObject({
      status: 200,
      body: { outcome: { sentence: '2 events replayed; orders that change: 0.' } },
    });
    expect(requests.map(({ body }) => body['cursor'])).toEqual([undefined, undefined, undefined, 'c']);
  });

  it('that the state forbids has the detail of the API', async () => {
    const { request } = await start(() => conflict('It was judged.'));
    expect(await request('plan', { act })).toEqual({
      status: 409,
      body: { title: 'Conflict', status: 409, detail: 'It was judged.' },
    });
  });

  it('that is not allowed names the permission that API Gateway does not name', async () => {
    const { request } = await start(() => noPermission);
    expect(await request('plan', { act })).toMatchObject({
      status: 403,
      body: {
        detail: expect.stringContaining('execute-api:Invoke on POST /operations/dismiss of the output'),
      },
    });
  });

  it('shows the page nothing of the credentials', async () => {
    const { request } = await start(() => ({ status: 400, body: { message: 'no' } }));
    expect(JSON.stringify(await request('plan', { act }))).not.toMatch(/AKIDEXAMPLE|very-secret|Signature=/);
  });

  it.each([
    { act: { act: 'erase', event_id: 'e1' } },
    { act: { ...act, dry_run: false } },
    { act: { act: 'resolve', order_id: 'o1' } },
    { act, reason: 'r' },
    null,
  ])('is not planned for the request %j', async (body) => {
    const { request, requests } = await start();
    const { status, body: problem } = await request('plan', body);
    expect([status, problem]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringMatching(/\.$/) }),
    ]);
    expect(requests).toEqual([]);
  });

  it.each([
    [{ origin: 'https://shop.example' }, 403],
    [{ 'content-type': 'text/plain' }, 415],
  ])('is refused to a page of another site: %j', async (headers, status) => {
    const { request, requests } = await start();
    expect((await request('plan', { act }, headers)).status).toBe(status);
    expect((await request('confirm', { act }, headers)).status).toBe(status);
    expect(requests).toEqual([]);
  });

  it('needs the key of the console', async () => {
    const access = createAccess({ key: 'k'.repeat(43), command: 'payhooks console' });
    const { post } = await startConsole({ access });
    expect((await post('/console/api/acts/confirm', { act })).status).toBe(401);
  });

  it('ends when the page no longer waits for it', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'very-secret');
    const gone = new AbortController();
    const ended = Promise.withResolvers<void>();
    const api = createServer((_, response) => {
      response.once('close', ended.resolve);
      gone.abort();
    });
    const OperationsUrl = await listen(api, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(api));
    const stack = { name: 'payhooks-shop', region: 'eu-west-1', outputs: { OperationsUrl } };
    const { get } = await startConsole({ stack: async () => stack, isProxy: true });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ act }), signal: gone.signal };
    await expect(get('/console/api/acts/plan', init)).rejects.toThrow('abort');
    await ended.promise;
  });
});
