import { describe, expect, it } from 'vitest';
import type { ActPlan, ConsoleAct } from '../../console/contract.ts';
import { json, type Respond, startDeployedConsole } from '../doubles/console.ts';

const dismissal: ConsoleAct = { act: 'dismiss', mode: 'live', event_id: 'e1' };
const result = {
  ...{ act: 'dismiss', mode: 'live', changed: true, by: 'arn:aws:iam::1:user/kim', reason: 'é' },
  ...{ at: '2026-11-22T11:00:00.000Z', events: [], orders: [] },
};

async function start(respond: Respond = json(200, result)) {
  const { get, post, received } = await startDeployedConsole(respond);
  async function request(path: 'plan' | 'confirm', body: unknown) {
    const response = await post(`/console/api/acts/${path}`, body);
    return { status: response.status, body: (await response.json()) as ActPlan };
  }
  const plan = async (act = dismissal) => (await request('plan', { act })).body;
  const confirm = ({ effect, by }: Pick<ActPlan, 'effect' | 'by'>, more: object = {}) =>
    request('confirm', {
      ...{ act: dismissal, reason: 'é', is_repetition: false, shown: { effect, by }, ...more },
    });
  const sent = () => received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  return { get, request, plan, confirm, received, sent };
}

describe('an act in the console', () => {
  it('is planned without a change, and done when its plan is the same again', async () => {
    const { plan, confirm, received, sent } = await start();
    const shown = await plan();
    expect(shown).toMatchObject({ is_needed: true, sentence: 'If you dismiss e1, it no longer waits.' });
    expect(await confirm(shown)).toMatchObject({
      status: 200,
      body: { step: 'done', outcome: { sentence: 'Dismissed e1.', record: { event_id: 'e1' } } },
    });
    expect(new Set(received.map(({ line }) => line))).toEqual(new Set(['POST /operator/operations/dismiss']));
    const fields = { mode: 'live', event_id: 'e1' };
    expect(sent()).toEqual([
      { ...fields, dry_run: true },
      { ...fields, dry_run: true, reason: 'é' },
      { ...fields, dry_run: false, reason: 'é' },
    ]);
  });

  it('is not done when its plan is another one, which is shown then', async () => {
    const { confirm, sent } = await start();
    const other = await confirm({ effect: 'other', by: 'kim' });
    expect(other.body).toMatchObject({ step: 'changed', plan: { is_needed: true } });
    expect(sent()).toMatchObject([{ dry_run: true }]);
  });

  it('that is repeated after a lost response reports that the first request did it', async () => {
    let changed = true;
    const { plan, confirm } = await start((...to) => json(200, { ...result, changed })(...to));
    const shown = await plan();
    changed = false;
    expect((await confirm(shown, { is_repetition: true })).body).toMatchObject({
      outcome: { sentence: expect.stringMatching(/^Dismissed e1\. The first request had done it/) },
    });
  });

  it('that fails after its first page is not called refused', async () => {
    const page = { ...result, act: 'replay', replayed: 1, left: [], retry_after_seconds: null };
    const { plan, confirm } = await start((response, received) => {
      const { dry_run, cursor } = JSON.parse(received.body);
      if (cursor !== undefined) return json(403, { message: 'Forbidden' })(response, received);
      json(200, { ...page, next_cursor: dry_run ? null : 'c' })(response, received);
    });
    const act: ConsoleAct = { act: 'replay', order_id: 'o1' };
    expect(await confirm(await plan(act), { act })).toMatchObject({
      status: 500,
      body: { detail: expect.stringMatching(/^A part of it was done\. .*execute-api:Invoke/) },
    });
  });

  const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'It was judged.' };
  const type = { 'content-type': 'application/problem+json' };
  it.each<[string, Respond, object]>([
    [
      'that the state forbids has the detail of the API',
      json(409, problem, type),
      { detail: problem.detail },
    ],
    [
      'has the page wait for what a consumer may still be working on',
      json(409, { ...problem, retry_after_seconds: 7 }, type),
      { detail: 'Waiting 7 s: a consumer may still be working on e1.', retry_after_seconds: 7 },
    ],
    [
      'that is not allowed names the permission that API Gateway does not name',
      json(403, { message: 'Forbidden' }),
      { detail: expect.stringContaining('execute-api:Invoke on POST /operations/dismiss of the output') },
    ],
  ])('%s', async (_, respond, expected) => {
    const { request } = await start(respond);
    const { status, body } = await request('plan', { act: dismissal });
    expect(body).toMatchObject({ status, ...expected });
  });

  it.each([
    { act: { act: 'erase', event_id: 'e1' } },
    { act: { ...dismissal, dry_run: false } },
    { act: { act: 'resolve', order_id: 'o1' } },
    { act: dismissal, reason: 'r' },
    { act: { act: 'replay', mode: 'live' } },
    null,
  ])('is not planned for the request %j', async (body) => {
    const { request, received } = await start();
    const detail = expect.stringMatching(/\.$/);
    expect(await request('plan', body)).toMatchObject({ status: 400, body: { detail } });
    expect(received).toEqual([]);
  });

  it('ends when the page no longer waits for it', async () => {
    const gone = new AbortController();
    const ended = Promise.withResolvers<void>();
    const { get } = await start((response) => {
      response.once('close', ended.resolve);
      gone.abort();
    });
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify({ act: dismissal }), signal: gone.signal };
    await expect(get('/console/api/acts/plan', init)).rejects.toThrow('abort');
    await ended.promise;
  });
});
