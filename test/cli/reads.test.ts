import { describe, expect, it, vi } from 'vitest';
import { accessLogLine, type LoggedRequest } from '../doubles/access-log.ts';
import { AwsError, type Operation, startAwsQuery } from '../doubles/aws-query.ts';
import { describedStack } from '../doubles/cloudformation.ts';
import { startDeadLetterStack } from '../doubles/dead-letter-stack.ts';
import { runLogQuery } from '../doubles/log-query.ts';
import { notFound, startOperations } from '../doubles/operations-server.ts';
import { runPayhooks } from './payhooks-process.ts';

/** The fields of a line that matter here; `test/lib/access-records.test.ts` reads the format of the template. */
const format = JSON.stringify({
  caller: '$context.identity.userArn',
  callerAccount: '$context.identity.accountId',
  ip: '$context.identity.sourceIp',
  status: '$context.status',
  routeKey: '$context.routeKey',
  path: '$context.path',
});
const ada = 'arn:aws:sts::111122223333:assumed-role/support/ada';
const account = '111122223333';
const at = (minute: number): string => `2026-11-21 14:${minute}:27.123`;
const read = (route: string, path: string, minute: number, more: Partial<LoggedRequest> = {}) => ({
  timestamp: at(minute),
  message: accessLogLine(format, {
    caller: ada,
    account,
    method: 'GET',
    route,
    path,
    at: at(minute),
    ...more,
  }),
});
const lines = [
  read('/events/{event_id}', '/events/evt-1', 10),
  read('/events/{event_id}', '/events/evt-2', 11, { caller: undefined as never, status: 403 }),
  read('/operations/bodies/events/{event_id}', '/operations/bodies/events/evt%201', 12),
  read('/operations/bodies/{body_sha256}', `/operations/bodies/${'a'.repeat(64)}`, 13),
  read('/events/{event_id}', '/events/e%76t-3', 14),
  read('/orders/{order_id}', '/orders/order-1', 14),
  read('/operations/events/{event_id}', '/operations/events/evt-1', 15),
];

interface Given {
  readonly outputs?: Readonly<Record<string, string>>;
  readonly StartQuery?: Operation;
}

const logGroups = { OrderQueryAccessLogGroup: 'query-access', OperationsAccessLogGroup: 'operations-access' };
const order = {
  order_id: 'order-1',
  mode: 'live',
  events: [{ id: 'evt-1' }],
  waiting: [{ event_id: 'evt 1' }],
  acts: [],
};

/** A stack in AWS, with these lines in its logs, and what the searches of a command were. */
async function start({ outputs = logGroups, ...more }: Given = {}) {
  const searches: Readonly<Record<string, string>>[] = [];
  const OrderQueryUrl = await startOperations(({ route, query }) =>
    route === 'GET /orders/order-1/events' && query['mode'] === 'live' ? { body: order } : notFound('None.'),
  );
  const endpoint = await startAwsQuery({
    DescribeStacks: () => ({
      Stacks: [describedStack({ name: 'shop', outputs: { ...outputs, OrderQueryUrl } })],
    }),
    StartQuery(parameters) {
      searches.push(parameters);
      return { queryId: String(searches.length - 1) };
    },
    GetQueryResults: ({ queryId = '' }) => ({
      status: 'Complete',
      results: runLogQuery(searches[Number(queryId)]?.['queryString'] ?? '', lines).map((row) =>
        Object.entries(row).map(([field, value]) => ({ field, value })),
      ),
    }),
    ...more,
  });
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  const reads = (...argv: string[]) => runPayhooks(['reads', ...argv, '--stack', 'shop']);
  const pathsOf = (stdout: string) =>
    (JSON.parse(stdout) as { reads: { path: string }[] }).reads.map(({ path }) => path);
  return { reads, searches, pathsOf };
}

describe('payhooks reads', () => {
  it('lists who requested payloads, the latest first, and no other request', async () => {
    const { reads, searches } = await start();
    const { code, stdout } = await reads('--since', '2026-11-01T00:00:00Z');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
    expect(rows).toEqual([
      ['TIME', 'CALLER', 'FROM', 'STATUS', 'PATH'],
      ['2026-11-21T14:14:27.123Z', ada, '203.0.113.7', '200', '/events/e%76t-3'],
      ['2026-11-21T14:13:27.123Z', ada, '203.0.113.7', '200', `/operations/bodies/${'a'.repeat(64)}`],
      ['2026-11-21T14:12:27.123Z', ada, '203.0.113.7', '200', '/operations/bodies/events/evt%201'],
      ['2026-11-21T14:11:27.123Z', '-', '203.0.113.7', '403', '/events/evt-2'],
      ['2026-11-21T14:10:27.123Z', ada, '203.0.113.7', '200', '/events/evt-1'],
    ]);
    expect(searches).toMatchObject([
      {
        'logGroupNames.member.1': 'query-access',
        'logGroupNames.member.2': 'operations-access',
        startTime: String(Date.parse('2026-11-01T00:00:00Z') / 1_000),
      },
    ]);
    expect(code).toBe(0);
  });

  it('with --event finds the id in whatever form it was sent', async () => {
    const { reads, pathsOf } = await start();
    expect(pathsOf((await reads('--event', 'evt 1', '--json')).stdout)).toEqual([
      '/operations/bodies/events/evt%201',
    ]);
  });

  it('with --order finds the payloads of its events, and of those that wait', async () => {
    const { reads, pathsOf } = await start();
    expect(pathsOf((await reads('--order', 'order-1', '--json')).stdout)).toEqual([
      '/operations/bodies/events/evt%201',
      '/events/evt-1',
    ]);
  });

  it('finds a reader who hid the id behind escapes, and no other path with escapes', async () => {
    const { reads, pathsOf } = await start();
    expect(pathsOf((await reads('--event', 'evt-3', '--json')).stdout)).toEqual(['/events/e%76t-3']);
  });

  it('takes an id with quotes as text', async () => {
    const { reads, searches, pathsOf } = await start();
    const { stdout } = await reads('--event', '"] or path in ["/events/evt-1', '--json');
    expect(pathsOf(stdout)).toEqual([]);
    expect(searches[0]?.['queryString']).toContain('\\"] or path in [\\"');
  });

  it('prints the identity, its account and the route as JSON', async () => {
    const { reads } = await start();
    expect(JSON.parse((await reads('--event', 'evt-2', '--json')).stdout)).toEqual({
      reads: [
        {
          at: '2026-11-21T14:11:27.123Z',
          caller: null,
          account,
          ip: '203.0.113.7',
          status: 403,
          route: 'GET /events/{event_id}',
          path: '/events/evt-2',
        },
      ],
      is_complete: true,
    });
  });

  it('prints that there was no such request', async () => {
    const { reads } = await start();
    const { stdout } = await reads('--event', 'evt-9', '--since', '2026-11-01T00:00:00Z');
    expect(stdout).toBe('No payload was requested since 2026-11-01T00:00:00.000Z.\n');
  });

  it('names the permission that it lacks', async () => {
    const { reads } = await start({
      StartQuery() {
        throw new AwsError('AccessDeniedException', 'not authorized to perform: logs:StartQuery');
      },
    });
    const { code, stderr } = await reads();
    expect([code, stderr]).toEqual([3, expect.stringContaining('logs:StartQuery')]);
  });

  it('fails for a stack of an older version, whose logs have no callers', async () => {
    const { reads } = await start({ outputs: {} });
    const { code, stderr } = await reads();
    expect([code, stderr]).toEqual([1, expect.stringContaining('has no output OrderQueryAccessLogGroup')]);
  });

  it('fails for local mode, which has no access log', async () => {
    const { url } = await startDeadLetterStack();
    const { code, stderr } = await runPayhooks(['reads', '--local', url]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('Local mode has no access log')]);
  });
});
