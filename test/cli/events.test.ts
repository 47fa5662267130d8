import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpConsumer } from '../doubles/consumer.ts';
import { conflictRecord, eventRecord } from '../doubles/event-record.ts';
import { operationsOver } from '../doubles/operations.ts';
import { notFound, type Operations } from '../doubles/operations-server.ts';
import { served } from '../doubles/served-operations.ts';
import { startLocalMode } from './local-mode.ts';

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000 - 1_000).toISOString();

const waitingEvent = (change: Readonly<Record<string, unknown>>) => ({
  kind: 'conflict',
  outcome: 'conflict',
  reason: null,
  event_id: 'evt-1',
  event_name: 'transaction.paid',
  ...{ meaning: 'paid', amount: '20.00', currency: 'EUR' },
  order_id: 'order-1',
  transaction_id: 'b5ad1a1c-1f7f-4b0d-9d52-6e5cbf4a8a11',
  received_at: minutesAgo(60),
  recorded_at: minutesAgo(60),
  body_sha256: '2'.repeat(64),
  key_id: '45d4491906d1',
  ...change,
});

async function start(operations: Operations) {
  const { url, requests, run, payhooks } = await startLocalMode({ operations });
  return { url, requests, payhooks, events: (...argv: string[]) => run('events', ...argv) };
}

const page = (events: readonly unknown[], next_cursor: string | null = null) => ({
  body: { events, next_cursor },
});

describe('payhooks events list --waiting', () => {
  it('groups what waits by kind, at a terminal with its age, and names the next command', async () => {
    const { url, payhooks } = await start(() =>
      page([
        waitingEvent({ kind: 'unassigned', event_id: 'evt-7', order_id: null, recorded_at: minutesAgo(7) }),
        waitingEvent({}),
        waitingEvent({
          ...{ kind: 'unrecognised', outcome: 'unrecognised', reason: 'not_json' },
          ...{ event_id: null, event_name: null, order_id: null, transaction_id: null, amount: null },
          recorded_at: minutesAgo(3_000),
        }),
      ]),
    );
    const { code, stdout } = await payhooks(['events', 'list', '--waiting'], { isScreen: true });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'unassigned (1): they name no order, and we know no payment that does',
      'RECORDED   EVENT             MONEY      ID     ABOUT',
      '7 min ago  transaction.paid  20.00 EUR  evt-7  b5ad1a1c…',
      '',
      'conflict (1): another event has the same id',
      'RECORDED    EVENT             MONEY      ID     ABOUT',
      '60 min ago  transaction.paid  20.00 EUR  evt-1  order-1',
      '',
      'unrecognised (1): signed, but payhooks cannot read them',
      expect.stringMatching(/^RECORDED {2}EVENT {2}MONEY {2}ID {64}ABOUT$/),
      `2 d ago   -      -      ${'2'.repeat(64)}  not_json`,
      '',
      `→ npx payhooks events show evt-7 --local ${url}`,
      '',
    ]);
  });

  it('shows the only event that waits at once at a terminal, and how to judge it', async () => {
    const { url, payhooks } = await start(({ route }) =>
      route.endsWith('/waiting') ? page([waitingEvent({})]) : details([eventRecord(), conflictRecord()]),
    );
    const { stdout } = await payhooks(['events', 'list', '--kind', 'conflict'], { isScreen: true });
    expect(stdout).toMatch(
      /^conflict \(1\): [\s\S]*\nevt-1 \(live\): 2 records\n[\s\S]* events dismiss evt-1 --local /,
    );
    expect(stdout).not.toContain(`events show evt-1 --local ${url}`);
  });

  it('offers to replay an event without an order, whose payload may have changed', async () => {
    const { url, events } = await start(() =>
      details([eventRecord({ order_id: null, waiting: 'unassigned' })]),
    );
    expect((await events('show', 'evt-1')).stdout).toContain(
      'correct payloadPaths in assumptions.ts, deploy, and:\n' +
        `  → npx payhooks replay --since 2026-11-22T02:10:00.000Z --local ${url}\n`,
    );
  });

  it('prints exact times and whole ids for a program', async () => {
    const orderId = 'o'.repeat(250);
    const item = waitingEvent({ order_id: null, recorded_at: '2026-11-22T10:00:00.058Z' });
    const { events } = await start(() => page([item, { ...item, order_id: orderId }]));
    const { stdout } = await events('list', '--waiting');
    expect(stdout).toMatch(/^2026-11-22T10:00:00\.058Z .* b5ad1a1c-1f7f-4b0d-9d52-6e5cbf4a8a11$/m);
    expect(stdout).toContain(orderId);
  });

  it('suggests to look at the event of a name without a meaning, and never to dismiss it unseen', async () => {
    const { events } = await start(() => page([waitingEvent({ kind: 'event_name' })]));
    const { stdout } = await events('list', '--waiting');
    expect(stdout).toMatch(/find out what it means, .*, and replay\.\n→ npx payhooks events show evt-1 /);
    expect(stdout).not.toContain('dismiss');
  });

  it('passes its filters on, and reads page after page', async () => {
    const { events, requests } = await start(({ query }) =>
      query['cursor'] === undefined ? page([], 'second') : page([waitingEvent({})]),
    );
    const filters = ['--order', 'order 1', '--transaction', 'txn-1', '--kind', 'conflict', '--sandbox'];
    const times = ['--since', '2026-11-21T10:00:00+01:00', '--until', '2026-11-22T10:00:00Z'];
    const { stdout } = await events('list', ...filters, ...times);
    const query = {
      ...{ kind: 'conflict', order_id: 'order 1', transaction_id: 'txn-1', mode: 'sandbox' },
      ...{ since: '2026-11-21T09:00:00.000Z', until: '2026-11-22T10:00:00.000Z' },
    };
    expect(requests.map((request) => request.query)).toEqual([query, { ...query, cursor: 'second' }]);
    expect(stdout).toContain('→ npx payhooks events show evt-1 --sandbox --local ');
  });

  it('ends at --limit and says that more wait, or that nothing of that waits', async () => {
    const { events } = await start(() => page([waitingEvent({}), waitingEvent({})], 'more'));
    expect((await events('list', '--waiting', '--limit', '1')).stdout).toContain(
      'More wait: the list ends at --limit 1.',
    );
    const json = JSON.parse((await events('list', '--waiting', '--limit', '2', '--json')).stdout);
    expect([json.events.length, json.has_more]).toEqual([2, true]);
    const nothing = await start(() => page([]));
    const { stdout } = await nothing.events('list', '--kind', 'conflict', '--sandbox');
    expect(stdout).toBe('Nothing of that waits in the sandbox.\n');
  });
});

describe('payhooks events list', () => {
  it('refuses a time that ends before it begins', async () => {
    const { events, requests } = await start(() => page([]));
    const { code, stderr } = await events('list', '--since', 'today', '--until', 'yesterday');
    expect([code, stderr, requests]).toEqual([
      2,
      expect.stringContaining('--since is not before --until'),
      [],
    ]);
  });

  const at = '2026-11-21T10:00:07.000Z';
  const received = (change: Readonly<Record<string, unknown>> = {}) => {
    const { kind: _, key_id: __, ...event } = waitingEvent({ received_at: at, recorded_at: at });
    return { ...event, outcome: 'applied', waiting: null, amount: '75.00', currency: 'USD', ...change };
  };

  it('shows when each event was received, its full ids, amount and outcome, and what to type next', async () => {
    const junk = { event_id: null, event_name: null, order_id: null, amount: null, currency: null };
    const waits = { outcome: 'unrecognised', waiting: 'unrecognised' };
    const { url, events } = await start(() => page([received(), received({ ...junk, ...waits })]));
    const { code, stdout, stderr } = await events('list');
    const time = new Date(at).toLocaleString('sv');
    const lines = stdout.trimEnd().split('\n');
    expect([code, ...lines.map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      ['RECEIVED', 'EVENT', 'AMOUNT', 'OUTCOME', 'ORDER', 'ID'],
      [time, 'transaction.paid', '75.00 USD', 'applied', 'order-1', 'evt-1'],
      [time, '-', '-', 'unrecognised, waits', '-', '2'.repeat(64)],
    ]);
    expect(stderr).toContain('2 events: 1 applied, 1 unrecognised\n');
    expect(stderr).toContain(`→ npx payhooks events show --body-sha256 ${'2'.repeat(64)} --local ${url}`);
  });

  it('passes its filters on, and reads page after page up to the limit', async () => {
    const { events, requests } = await start(({ query }) =>
      page([received()], query['cursor'] === undefined ? 'second' : null),
    );
    const filters = '--outcome applied --prefix ord --since 2026-11-21T10:00:00Z --sandbox --limit 2'.split(
      ' ',
    );
    const { stdout } = await events('list', ...filters, '--json');
    const since = '2026-11-21T10:00:00.000Z';
    const query = { outcome: 'applied', prefix: 'ord', since, mode: 'sandbox', limit: '2' };
    expect(requests.map((request) => request.query)).toEqual([query, { ...query, cursor: 'second' }]);
    expect(JSON.parse(stdout)).toEqual({ events: [received(), received()], has_more: false });
  });

  it('refuses a filter of all events together with --waiting or --kind', async () => {
    const { events } = await start(() => page([]));
    for (const other of [['--waiting'], ['--kind', 'conflict']])
      expect((await events('list', '--prefix', 'a', ...other)).stderr).toContain(
        'cannot be used with option',
      );
  });
});

const act = {
  ...{ act: 'dismiss', at: '2026-11-22T03:00:00.000Z', reason: 'a test' },
  ...{ by: 'arn:aws:iam::123456789012:user/kim', event_id: 'evt-1', order_id: null, body_sha256: null },
};
const details = (records: readonly unknown[], acts: readonly unknown[] = []) => ({
  body: { id: 'evt-1', mode: 'live', records, acts },
});

describe('payhooks events show', () => {
  it('shows each record of one id, the acts, and how to judge the one that waits', async () => {
    const judged = { verdict: 'dismissed', by: act.by, at: act.at, reason: 'a test', order_id: null };
    const { url, events } = await start(() =>
      details([eventRecord({ judged }), conflictRecord({ order_id: 'order-2', has_body: false })], [act]),
    );
    const { code, stdout } = await events('show', 'evt-1');
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'evt-1 (live): 2 records',
      '',
      'event',
      'outcome      applied',
      'waits        no',
      'counts       yes, in its order',
      'event        transaction.paid',
      'money        100.00 USD',
      'order        order-1',
      'transaction  txn-1',
      'received     2026-11-22T02:10:00.000Z',
      'key          45d4491906d1',
      `body         ${'1'.repeat(64)}`,
      'judged       dismissed 2026-11-22T03:00:00.000Z',
      '',
      'conflict',
      'outcome      conflict',
      'waits        as conflict',
      'counts       no',
      'event        transaction.paid',
      'money        100.00 USD',
      'order        order-2',
      'transaction  txn-1',
      'received     2026-11-22T02:10:00.000Z',
      'key          45d4491906d1',
      `body         ${'2'.repeat(64)}, expired`,
      '',
      'AT                        ACT      BY   REASON',
      '2026-11-22T03:00:00.000Z  dismiss  kim  a test',
      '',
      'To see the bodies, which hold customer data:',
      `  → npx payhooks events show evt-1 --body --local ${url}`,
      'If the body that waits is right, apply it (another order keeps its own body):',
      `  → npx payhooks events admit evt-1 --local ${url}`,
      'If the body that waits is wrong:',
      `  → npx payhooks events dismiss evt-1 --local ${url}`,
      '',
    ]);
  });

  it('suggests no admission of a conflict whose order has both bodies, because it would change nothing', async () => {
    const { url, events } = await start(() => details([eventRecord(), conflictRecord()]));
    const { stdout } = await events('show', 'evt-1');
    expect(stdout).not.toContain('events admit');
    expect(stdout).toContain(
      'The order has both bodies, and no command changes which one counts. Once you know which is true:\n' +
        `  → npx payhooks events dismiss evt-1 --local ${url}\nThen clear the warning of its order:\n` +
        `  → npx payhooks orders resolve order-1 --attention conflicting_event --local ${url}\n`,
    );
  });

  it('names the hash in its suggestions when several bodies wait, and the order that is missing', async () => {
    const [two, three] = ['2'.repeat(64), '3'.repeat(64)];
    const second = conflictRecord({ order_id: 'order-2' });
    const third = conflictRecord({ body_sha256: three, order_id: null });
    const { body } = details([eventRecord(), second, third]);
    const { events } = await start(() => ({ body: { ...body, mode: 'sandbox' } }));
    const { stdout } = await events('show', 'evt-1', '--sandbox');
    expect(stdout).toContain('222222222222…: If the body that waits is right, ');
    expect(stdout).toContain(`events admit evt-1 --body-sha256 ${two} --sandbox --local`);
    expect(stdout).toContain(`events admit evt-1 --body-sha256 ${three} --order ORDER --sandbox --local`);
  });

  it('prints no control character of an id, a name or a body', async () => {
    const hostile = 'evt\u001b]52;c;aGk=\u0007\u001b[2J';
    const named = { event_id: hostile, event_name: hostile, order_id: hostile, transaction_id: hostile };
    const acts = [{ ...act, reason: hostile, by: hostile }];
    const { events } = await start(({ route }) =>
      route.endsWith('/waiting')
        ? page([waitingEvent({ kind: 'event_name', ...named })])
        : { body: { id: hostile, mode: 'live', records: [conflictRecord(named)], acts } },
    );
    const shown = [await events('list', '--waiting'), await events('show', hostile)].map((run) => run.stdout);
    for (const stdout of shown) expect(stdout).toContain('evt');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(shown.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('requests bodies only with --body, and shows that one is erased', async () => {
    const body_base64 = Buffer.from('{"amount":"40.00\u001b[2J"}').toString('base64');
    const erased = { by: act.by, at: '2026-11-22T04:00:00.000Z', reason: 'requested' };
    const { events, requests } = await start(({ route }) =>
      route.includes('/bodies/')
        ? { body: { ...details([{ ...eventRecord(), body_base64, payload: {} }]).body, more: true } }
        : details([eventRecord({ has_body: false, erased })]),
    );
    const { stdout } = await events('show', 'evt-1', '--body');
    expect(stdout).toContain('\n{"amount":"40.00"}\nMore bodies are stored: select one with --body-sha256.');
    expect((await events('show', 'evt-1')).stdout).toContain(', erased 2026-11-22T04:00:00.000Z');
    expect(requests.map(({ route }) => route)).toEqual([
      'GET /operations/bodies/events/evt-1',
      'GET /operations/events/evt-1',
    ]);
  });

  it('fails for an id that nothing is stored under, and hints at the sandbox', async () => {
    const { events } = await start(() => notFound('No live event has the id "evt-9".'));
    expect(await events('show', 'evt-9')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No live event has the id "evt-9". For a sandbox one add --sandbox.'),
    });
  });
});

const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const reason = ['--reason', 'checked', '--yes'];

it('an operator at the command line finds a body that is not an event by its hash, and cannot admit it', async () => {
  const { consume, clock, tables } = setUpConsumer();
  const { events } = await start(served(operationsOver(tables, { now: () => new Date(clock.now) })));
  const body = Buffer.from('not an event');
  await consume({ body });
  const list = await events('list', '--kind', 'unrecognised');
  expect(list.stdout).toContain(hashOf(body));
  expect((await events('show', '--body-sha256', hashOf(body))).stdout).toContain('not an event');
  const refused = await events('admit', '--body-sha256', hashOf(body), ...reason);
  expect([refused.code, refused.stderr.includes('there is nothing to admit')]).toEqual([1, true]);
  const dismissed = await events('dismiss', '--body-sha256', hashOf(body), ...reason);
  expect(dismissed.stdout).toContain('unrecognised (waits) -> unrecognised (judged)\nNo order changes.\n');
  expect((await events('list', '--waiting')).stdout).toBe('Nothing waits.\n');
});
