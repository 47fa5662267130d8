import {
  event,
  pageJson,
  paidWebhook,
  runReceiver,
  runSimulator,
  type Scripted,
  startService,
  uuid,
  webhookJson,
} from '@payhooks/payment-service/testing';
import { describe, expect, it } from 'vitest';
import { startLocalStack } from '../doubles/local-stack.ts';
import { runPayhooks, spawnPayhooks } from './payhooks-process.ts';

const ours = 'https://shop.example/webhooks/payments';
const both = 'transaction.paid,transaction.refunded';

/** A payment service, and a command line with the key of its account. */
async function start() {
  const seen: string[] = [];
  const simulator = await runSimulator({ onRequest: ({ method, path }) => seen.push(`${method} ${path}`) });
  const env = { PAYHOOKS_SERVICE_URL: simulator.baseUrl, PAYHOOKS_PRIVATE_KEY: 'pri_live' };
  const payhooks = (...argv: string[]) => runPayhooks(argv, { env });
  const writes = () => seen.filter((line) => !line.startsWith('GET'));
  return { simulator, payhooks, writes, env };
}

/** A payment service that responds with these, one after another, and a command line for it. */
async function startOdd(...scripts: Scripted[]) {
  const service = await startService(...scripts);
  const env = { PAYHOOKS_SERVICE_URL: service.baseUrl, PAYHOOKS_PRIVATE_KEY: 'pri_live_key' };
  return { ...service, payhooks: (...argv: string[]) => runPayhooks(argv, { env }) };
}

/** A list with one row that is no webhook; the others are ours. */
const oddRow = webhookJson(1, { created_at: null });
const withOddRow = { json: pageJson([oddRow, webhookJson(3), webhookJson(2)]) };

describe('payhooks webhooks list', () => {
  it('shows a row that is no webhook as unreadable, with the reason', async () => {
    const { payhooks } = await startOdd(withOddRow);
    const { code, stdout } = await payhooks('webhooks', 'list');
    const row = stdout.split('\n').find((line) => line.startsWith(uuid(1)));
    expect(row?.split(/ {2,}/).slice(1, 4)).toEqual([
      ...['unreadable', ours, '$.data[0].created_at is null; expected a string'],
    ]);
    const { stdout: json } = await payhooks('webhooks', 'list', '--json');
    expect([code, JSON.parse(json)]).toEqual([0, [webhookJson(3), webhookJson(2), oddRow]]);
  });

  it('prints a table without escape sequences into a pipe, and the target to standard error', async () => {
    const { simulator, env } = await start();
    const { id } = simulator.registerWebhook(paidWebhook(ours));
    const { code, stdout, stderr } = await spawnPayhooks(['webhooks', 'list'], { env });
    const [head = '', row = ''] = stdout.split('\n');
    expect(head.split(/ {2,}/)).toEqual(['ID', 'MODE', 'URL', 'EVENTS', 'CREATED']);
    expect(row.split(/ {2,}/).slice(0, 4)).toEqual([id, 'live', ours, 'transaction.paid']);
    expect(stdout).not.toContain('\u001b');
    expect([code, stderr]).toEqual([0, `payment service at ${simulator.baseUrl}\n`]);
  });
});

describe('payhooks webhooks register', () => {
  const register = ['webhooks', 'register', '--url', ours, '--events'];

  it('registers only once when it runs again', async () => {
    const { payhooks, writes } = await start();
    const first = await payhooks(...register, both, '--json');
    expect(JSON.parse(first.stdout)).toMatchObject({
      url: ours,
      is_live_mode: true,
      enabled_events: '["transaction.paid","transaction.refunded"]',
    });
    const second = await payhooks(...register, both);
    expect(second.stderr).toContain(
      `${ours} is already registered, live, for transaction.paid, transaction.refunded.`,
    );
    expect([first.code, second.code, writes()]).toEqual([0, 0, ['POST /api/v2/webhooks']]);
  });

  it('names a live webhook that leads to the same path, such as one without the domain of now', async () => {
    const { simulator, payhooks } = await start();
    const { id } = simulator.registerWebhook(paidWebhook(ours.replace('shop', 'api')));
    simulator.registerWebhook(paidWebhook('https://api.example/reports'));
    const { stderr } = await payhooks(...register, both);
    expect(stderr.match(/^ {2}npx payhooks webhooks delete .*$/gm)).toEqual([
      `  npx payhooks webhooks delete ${id}`,
    ]);
  });

  it.each([
    ['url', `${ours}?`, []],
    [
      'url',
      'https://other.example/',
      ['  URL     https://shop.example/webhooks/payments → https://other.example/'],
    ],
    ['is_live_mode', false, ['  mode    live → sandbox']],
    ['enabled_events', '["transaction.paid"]', [`  events  ${both} → transaction.paid`]],
    ['enabled_events', '["transaction.refunded","transaction.paid"]', []],
  ])('compares the result with the request: %s is %s', async (name, value, differences) => {
    const result = { status: 201, json: webhookJson(1, { [name]: value }) };
    const { payhooks } = await startOdd({ json: pageJson([]) }, result);
    const { code, stderr } = await payhooks(...register, both);
    expect([code, stderr.trim().split('\n').slice(2)]).toEqual([differences.length, differences]);
  });

  it('registers nothing while the row of our URL is unreadable', async () => {
    const { payhooks, received } = await startOdd({ json: pageJson([oddRow]) });
    const { code, stderr } = await payhooks(...register, both);
    expect(stderr).toContain('lists of it is unreadable: $.data[0].created_at is null; expected a string.');
    expect([code, received.map(({ method }) => method)]).toEqual([1, ['GET']]);
  });

  it('prints the update command that adds a missing event, and changes nothing', async () => {
    const { simulator, payhooks, writes } = await start();
    const { id } = simulator.registerWebhook(paidWebhook(ours));
    const { code, stderr } = await payhooks(...register, both);
    expect(stderr).toContain(`\n  npx payhooks webhooks update ${id} --events ${both}\n`);
    expect([code, writes()]).toEqual([1, []]);
  });

  it('takes URL and events from the stack, and uses its live key', async () => {
    const { simulator } = await start();
    const stack = await startLocalStack({
      keys: '{"private_keys":[{"key":"pri_sandbox_test"},{"key":"pri_not_known_yet"},{"key":"pri_live"}]}',
      outputs: { WebhookUrl: ours, RequiredEvents: both, PaymentServiceBaseUrl: simulator.baseUrl },
    });
    const { code, stdout, stderr } = await runPayhooks(['webhooks', 'register', '--local', stack.url]);
    expect(stderr).toBe(`local mode at ${stack.url}\n`);
    expect([code, stdout.includes(ours), stdout.includes(both)]).toEqual([0, true, true]);
  });
});

describe('payhooks webhooks update and delete', () => {
  it.each([
    ['update', ['--events', both]],
    ['delete', []],
  ])('%s needs a terminal or --yes', async (command, rest) => {
    const { simulator, payhooks, writes } = await start();
    const { id } = simulator.registerWebhook(paidWebhook(ours));
    const refused = await payhooks('webhooks', command, id, ...rest);
    expect([refused.code, writes()]).toEqual([2, []]);
    expect(refused.stderr).toContain('Run the command again with --yes');
    const done = await payhooks('webhooks', command, id, ...rest, '--yes');
    expect([done.code, writes().length]).toEqual([0, 1]);
  });

  it('update keeps fields that are not given', async () => {
    const { simulator, payhooks } = await start();
    const { id } = simulator.registerWebhook({ url: ours, enabledEvents: both.split(','), isLiveMode: true });
    const { stdout } = await payhooks('webhooks', 'update', id, '--url', `${ours}/new`, '--yes', '--json');
    const enabled_events = '["transaction.paid","transaction.refunded"]';
    expect(JSON.parse(stdout)).toMatchObject({ url: `${ours}/new`, enabled_events });
  });

  it('update compares the result with the request', async () => {
    const { payhooks } = await startOdd({ json: pageJson([webhookJson(1)]) }, { json: webhookJson(1) });
    const argv = ['webhooks', 'update', uuid(1), '--events', 'transaction.paid', '--yes'];
    const { code, stdout, stderr } = await payhooks(...argv);
    expect(stderr).toContain(`its webhook differs from it:\n  events  transaction.paid → ${both}\n`);
    expect([code, stdout.includes(uuid(1))]).toEqual([1, true]);
  });

  it('delete passes over a row that is no webhook, and names it', async () => {
    const { payhooks, received } = await startOdd(withOddRow, { status: 204 });
    const { code, stderr } = await payhooks('webhooks', 'delete', uuid(2), '--yes');
    expect(stderr).toContain(
      `The webhook ${uuid(1)} (${ours}) is unreadable and left out: $.data[0].created_at`,
    );
    expect([code, received.at(-1)?.method]).toEqual([0, 'DELETE']);
  });

  it('exits with 1 for an unknown id', async () => {
    const { payhooks } = await start();
    expect(await payhooks('webhooks', 'delete', 'x', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The account has no webhook with the id x; it has 0.'),
    });
  });
});

describe('payhooks webhooks history', () => {
  it('shows each delivery attempt and its status', async () => {
    const { simulator, payhooks } = await start();
    const { url } = await runReceiver(503, 202);
    const { id } = simulator.registerWebhook(paidWebhook(url));
    await simulator.emit(event('event-1'));
    const { stdout, code } = await payhooks('webhooks', 'history', id);
    const rows = stdout.trimEnd().split('\n').slice(1);
    expect(rows.map((row) => row.split(/ {2,}/).slice(1))).toEqual([
      ['transaction.paid', 'event-1', '2', '202'],
      ['transaction.paid', 'event-1', '1', '503'],
    ]);
    const { stdout: json } = await payhooks('webhooks', 'history', id, '--json');
    expect(JSON.parse(json)).toMatchObject([
      { response_status: 202 },
      { response_status: 503, webhook_id: id },
    ]);
    expect(code).toBe(0);
  });
});

describe('payhooks webhooks history of another order', () => {
  const attempt = (id: number) => ({ event_id: `e-${id}`, response_status: 202 });
  const page = (current_page: number, ...ids: number[]) => ({
    json: pageJson(ids.map(attempt), { current_page, per_page: 2, total: 4, last_page: 2 }),
  });

  it('fails when pages overlap and hide an attempt, and shows the others', async () => {
    const { payhooks } = await startOdd(page(1, 1, 2), page(2, 2, 3));
    const { code, stdout, stderr } = await payhooks('webhooks', 'history', uuid(1));
    expect(stderr).toContain('The history has 4 attempts, of which 3 were read; run it again.');
    expect([code, stdout.match(/e-\d/g)]).toEqual([1, ['e-1', 'e-2', 'e-3']]);
  });
});

describe('payhooks webhooks audit', () => {
  const audit = ['webhooks', 'audit', '--url', ours, '--events', both];

  it('exits with 1 and prints the command that fixes the issue', async () => {
    const { simulator, payhooks } = await start();
    const { id } = simulator.registerWebhook(paidWebhook(ours));
    const found = await payhooks(...audit);
    expect(found.stdout).toContain(`\n  npx payhooks webhooks update ${id} --events ${both}\n`);
    const [issue] = JSON.parse((await payhooks(...audit, '--json')).stdout);
    expect([issue.kind, found.code]).toEqual(['event_missing', 1]);
    expect((await payhooks(...issue.command.split(' ').slice(2), '--yes')).code).toBe(0);
    expect(await payhooks(...audit)).toMatchObject({
      code: 0,
      stdout: `${ours} is registered, live, for transaction.paid, transaction.refunded.\n`,
    });
  });

  it('refuses a time with --json, which would print two documents', async () => {
    const { payhooks } = await start();
    const { code, stderr } = await payhooks(...audit, '--json', '--since', '2h');
    expect([code, stderr]).toEqual([2, expect.stringContaining('Run `payhooks reconcile --json` with them')]);
  });
});

describe('the exit code', () => {
  it.each([
    ['pri_unknown', 'failed with status 401, "Unauthenticated". It was called with PAYHOOKS_PRIVATE_KEY.'],
    ['pri_sandbox_test', 'error: '],
  ])('is 3 when the payment service refuses the key %s, which is not quoted', async (key, message) => {
    const { env } = await start();
    const ended = await runPayhooks(['account'], { env: { ...env, PAYHOOKS_PRIVATE_KEY: key } });
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining(message) });
    expect(ended.stderr).not.toContain(key);
  });

  it('is 3 when the payment service permits nothing to the key', async () => {
    const { payhooks } = await startOdd({ status: 403 });
    expect((await payhooks('account')).code).toBe(3);
  });

  it('is 4 when the payment service cannot be reached, with the network error', async () => {
    const env = { PAYHOOKS_SERVICE_URL: 'http://127.0.0.1:2', PAYHOOKS_PRIVATE_KEY: 'pri_live' };
    const { code, stderr } = await runPayhooks(['account'], { env });
    expect([code, stderr.includes('ECONNREFUSED')]).toEqual([4, true]);
  });

  it('is 2 for PAYHOOKS_SERVICE_URL without a private key, so that no key of a stack goes to it', async () => {
    const { simulator } = await start();
    const stack = await startLocalStack({ keys: 'pri_live' });
    const env = { PAYHOOKS_SERVICE_URL: simulator.baseUrl };
    const { code, stderr } = await runPayhooks(['account', '--local', stack.url], { env });
    expect([code, stderr.includes('PAYHOOKS_SERVICE_URL needs PAYHOOKS_PRIVATE_KEY')]).toEqual([2, true]);
  });

  it('is 0 when the account is printed, unchanged with --json, but without the key that it repeats', async () => {
    const account = { name: 'shop', key: 'pri_live_key', sent: ['Basic cHJpX2xpdmVfa2V5Og=='] };
    const { payhooks } = await startOdd({ json: account });
    const { code, stdout } = await payhooks('account', '--json');
    const shown = { name: 'shop', key: '[secret]', sent: ['Basic [secret]'] };
    expect([code, JSON.parse(stdout)]).toEqual([0, shown]);
    expect((await payhooks('account')).stdout).toContain('name: shop\nkey: [secret]\n');
  });
});
