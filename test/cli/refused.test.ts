import { startCloudWatchLogs } from '@payhooks/cdk-local/emulators';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AwsError, stubAws } from '../doubles/aws-query.ts';
import { describedStack } from '../doubles/cloudformation.ts';
import { startLocalMode } from './local-mode.ts';
import { runPayhooks } from './payhooks-process.ts';

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

interface Request {
  readonly id: string;
  readonly ip: string;
  readonly status: number;
  /** Without it the verifier has no line. */
  readonly reason?: string;
  /** How many requests that line stands for. */
  readonly count?: number;
}

/** The lines of a request in the access log and in that of the verifier. */
const linesOf = ({ id, ip, status, reason, count }: Request) => ({
  access: JSON.stringify({ requestId: id, ip, status: String(status), integrationError: '-' }),
  verifier:
    reason &&
    JSON.stringify({ message: 'webhook refused', request_id: id, status, reason, bytes: 914, count }),
});

/** Local mode whose logs have these requests, and a key that matched so many minutes ago. */
async function start(requests: readonly Request[], matched: number | null = 1) {
  const logs = await startCloudWatchLogs();
  onTestFinished(() => logs.close());
  for (const logGroupName of ['verifier', 'access']) logs.createGroup({ logGroupName });
  for (const { access, verifier } of requests.map(linesOf)) {
    logs.addLine('access', access);
    if (verifier) logs.addLine('verifier', verifier);
  }
  const keys = [
    { mode: 'live', key_id: '9a76d0a46113', last_matched_at: minutesAgo(Number(matched)) },
    { mode: 'sandbox', key_id: '0db7afe7a3c8', last_matched_at: minutesAgo(0) },
  ];
  const local = await startLocalMode({
    logs: logs.endpoint,
    outputs: { VerifierLogGroup: 'verifier', WebhookAccessLogGroup: 'access' },
    operations: () =>
      matched === null ? { status: 403, body: { message: 'Forbidden' } } : { body: { keys } },
  });
  const json = async () => JSON.parse((await local.run('refused', '--json')).stdout);
  return { ...local, json };
}

const accepted = (ip: string): Request => ({ id: `accepted-${ip}`, ip, status: 202 });
const mismatch = (ip: string, id = `refused-${ip}`): Request => ({ id, ip, status: 403, reason: 'mismatch' });

describe('payhooks refused', () => {
  it('shows reason, size, address and time of what was refused, and the next command', async () => {
    const { run, url } = await start([accepted('192.0.2.1'), mismatch('192.0.2.1')]);
    const { code, stdout } = await run('refused');
    const lines = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(lines[0]?.[0]).toMatch(/^1 refused request since /);
    expect(lines[2]).toEqual(['1 × 403 mismatch: The signature matches no key of this stack.']);
    expect(lines.at(-3)).toEqual(['192.0.2.1', '1', '914', expect.any(String), expect.any(String), 'yes']);
    expect(lines.at(-2)).toEqual([`→ npx payhooks keys add --local ${url}`]);
    expect(code).toBe(0);
  });

  it('shows that nothing was refused, in a time that it is given', async () => {
    const { run } = await start([accepted('192.0.2.1')]);
    expect((await run('refused', '--since', '2h')).stdout).toMatch(/^No request was refused since [\d-]+ /);
    const swapped = await run('refused', '--since', '1h', '--until', '2h');
    expect([swapped.code, swapped.stderr]).toEqual([2, expect.stringContaining('--since is not before')]);
  });

  const [genuine, other] = ['192.0.2.1', '203.0.113.7'];
  it.each<[string, readonly Request[], number | null, RegExp]>([
    [
      'a missing key: accepted webhooks came from the same address',
      [accepted(genuine), mismatch(genuine)],
      60,
      /^Probably a key is missing here\. Every address also .* was .*, before 1 of these 1\. npx payhooks keys add /,
    ],
    [
      'forgeries: accepted webhooks came from other addresses',
      [accepted(genuine), mismatch(other), mismatch('203.0.113.8')],
      1,
      /^Probably forged, .* None of its 2 addresses sent .* accepted since .* payhooks reconcile /,
    ],
    [
      'nothing by a match whose repetition is not stored yet',
      [accepted(genuine), mismatch(other)],
      4,
      /^Probably forged, .* Its address never sent webhooks that were accepted since \S+ npx payhooks reconcile /,
    ],
    [
      'both at once',
      [accepted(genuine), mismatch(genuine), mismatch(other)],
      1,
      /^Probably a key is missing here for 1 of 2 addresses, .* The others: probably forged/,
    ],
    [
      'no forgery when only heartbeats were accepted, because no key has matched for days',
      [accepted(other), mismatch(genuine)],
      60 * 24 * 30,
      /^Perhaps a key is missing here\. No accepted webhook is known .* with 403 is genuine.* payhooks reconcile /,
    ],
    [
      'nothing by addresses alone when the matches of keys cannot be read',
      [accepted(other), mismatch(genuine)],
      null,
      /^Not clear\. When a key last matched is not known/,
    ],
    [
      'nothing by the address of the own machine',
      [accepted('127.0.0.1'), mismatch('127.0.0.1')],
      -1,
      /^Not clear\. Every request comes from this machine, .* A key still matched after all of these/,
    ],
  ])('judges %s', async (_, requests, matched, judgement) => {
    const { groups } = await (await start(requests, matched)).json();
    expect(groups).toMatchObject([{ reason: 'mismatch' }]);
    expect(`${groups[0].judgement} ${groups[0].command}`).toMatch(judgement);
  });

  it('shows what never reached the verifier, and gives a flood the reason that the verifier counted', async () => {
    const ip = '203.0.113.7';
    const flood = { ...mismatch(ip, 'summed'), count: 3 };
    const { json } = await start([
      ...[flood, { id: 'not-logged-1', ip, status: 403 }, { id: 'not-logged-2', ip, status: 403 }],
      ...[413, 413, 429, 404, 500].map((status, n) => ({ id: `own-${n}`, ip, status })),
    ]);
    const { count, is_cut, groups } = await json();
    expect({ count, is_cut }).toEqual({ count: 8, is_cut: false });
    const counts = groups.map((group: { reason: string; count: number }) => [group.reason, group.count]);
    expect(Object.fromEntries(counts)).toEqual({
      ...{ mismatch: 3, too_large: 2, throttled: 1, unknown_path: 1, crashed: 1 },
    });
  });
});

describe('payhooks refused of a stack in AWS', () => {
  const logGroups = { VerifierLogGroup: 'verifier', WebhookAccessLogGroup: 'access' };
  const blocked = {
    ...{ action: 'BLOCK', terminatingRuleId: 'Rate', responseCodeSent: 429 },
    httpRequest: { clientIp: '203.0.113.9' },
  };

  async function inAws(
    linesIn: Readonly<Record<string, readonly unknown[]>>,
    { outputs = logGroups, error = 'ResourceNotFoundException' } = {},
  ) {
    const queries: string[] = [];
    await stubAws({
      DescribeStacks: () => ({ Stacks: [describedStack({ name: 'payhooks-shop', outputs })] }),
      StartQuery({ 'logGroupNames.member.1': name = '', queryString = '' }) {
        if (!(name in linesIn)) throw new AwsError(error, 'no such group');
        queries.push(`${name}: ${queryString}`);
        return { queryId: queryString.includes('stats') ? 'addresses' : name };
      },
      GetQueryResults: ({ queryId = '' }) => ({
        status: 'Complete',
        results: (linesIn[queryId] ?? []).map((line) => [
          { field: '@timestamp', value: '2026-11-28 14:00:00.000' },
          { field: '@message', value: JSON.stringify(line) },
        ]),
      }),
    });
    const argv = ['refused', '--stack', 'payhooks-shop', '--since', '2026-11-28T13:00:00Z', '--json'];
    return { queries, ...(await runPayhooks(argv)) };
  }

  it("searches both logs with Logs Insights, and the firewall's if there is one", async () => {
    const line = linesOf(mismatch('192.0.2.1'));
    const logs = { verifier: [JSON.parse(line.verifier ?? '')], access: [JSON.parse(line.access)] };
    const { queries, stdout } = await inAws({ ...logs, 'aws-waf-logs-payhooks-shop': [blocked] });
    expect(queries.toSorted()).toEqual([
      expect.stringMatching(/^access: fields @timestamp, @message \| filter status != "202" .* limit 10000$/),
      expect.stringMatching(/^access: filter status = "202" \| stats count/),
      expect.stringMatching(/^aws-waf-logs-payhooks-shop: .* filter action = "BLOCK" /),
      expect.stringMatching(/^verifier: .* filter message in \["webhook refused", "webhook failed"\] /),
    ]);
    const first_at = '2026-11-28T14:00:00.000Z';
    expect(JSON.parse(stdout).groups).toMatchObject([
      { reason: 'mismatch', first_at, judgement: expect.stringContaining('those of the firewall') },
      { reason: 'firewall:Rate', status: 429, addresses: [{ address: '203.0.113.9' }] },
    ]);
  });

  it('judges by no address where a firewall may be that the operator may not read', async () => {
    const line = linesOf(mismatch('192.0.2.1'));
    const logs = { verifier: [JSON.parse(line.verifier ?? '')], access: [JSON.parse(line.access)] };
    const error = 'AccessDeniedException';
    const judgementOf = async (more: object) => {
      const { stdout } = await inAws(logs, { error, outputs: { ...logGroups, ...more } });
      return JSON.parse(stdout).groups[0].judgement;
    };
    expect(await judgementOf({ WebhookDomainTarget: 'd-1.example.com' })).toMatch('those of the firewall');
    expect(await judgementOf({})).not.toMatch('firewall');
  });
});
