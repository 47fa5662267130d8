import { describe, expect, it } from 'vitest';
import { startLocalStack } from '../doubles/local-stack.ts';
import { type ReadEvent, readByOlderParser } from '../doubles/older-parser.ts';
import { operationsOf } from '../doubles/operations.ts';
import type { Operations, OperationsRequest } from '../doubles/operations-server.ts';
import { type Run, runPayhooks } from './payhooks-process.ts';

/** The operations API over what an older parser has stored, and the command line. */
async function start(...events: readonly ReadEvent[]) {
  const stores = await readByOlderParser(...events);
  const api = operationsOf(stores);
  const requests: OperationsRequest[] = [];
  const faults: { before?: (count: number) => ReturnType<Operations> | undefined; pageEvents?: number } = {};
  const { url } = await startLocalStack({
    operations: async (request) => {
      requests.push(request);
      const fault = faults.before?.(requests.length);
      if (fault !== undefined) return fault;
      const { pageEvents: limit } = faults;
      return api({ ...request, body: { ...(limit === undefined ? {} : { limit }), ...request.body } });
    },
  });
  const payhooks = (argv: readonly string[], options: Run = {}) =>
    runPayhooks([...argv, '--local', url], options);
  return { ...stores, url, requests, faults, payhooks };
}

const reason = ['--reason', 'release 0.3.0'];
/** Two events that an older parser read differently, and one that it read well. */
const migration: readonly ReadEvent[] = [
  { real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } },
  { real: { id: 'e2', order: 'B', transaction: 'U' }, as: { order: 'C' } },
  { real: { id: 'e3', order: 'D', transaction: 'V' } },
];
const moved = [
  'A  stays paid',
  '  - transaction T  paid  1.00 USD',
  '  + transaction T  paid  100.00 USD',
  'B  new -> paid',
  '  + transaction U  paid  100.00 USD',
  'C  paid -> pending',
  '  - transaction U  paid  100.00 USD',
];

describe('payhooks replay', () => {
  it('shows every order that would change, and changes nothing with --dry-run', async () => {
    const { payhooks, amountsOf } = await start(...migration);
    const { code, stdout } = await payhooks(['replay', '--since', '2026-11-01T00:00:00Z', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual(['3 events would be replayed; orders that change: 3.', ...moved, '']);
    expect(amountsOf('A')).toEqual(['1.00']);
  });

  it('replays after a confirmation, in as many pages as it takes', async () => {
    const { payhooks, faults, amountsOf, statusOf } = await start(...migration);
    faults.pageEvents = 1;
    const { code, stdout } = await payhooks(['replay', '--since', '2026-11-01T00:00:00Z', ...reason], {
      typed: ['y'],
    });
    expect(stdout).toContain(moved.join('\n'));
    expect(stdout).toContain('3 events replayed; orders that change: 3.');
    expect(code).toBe(0);
    expect([amountsOf('A'), statusOf('B'), statusOf('C')]).toEqual([['100.00'], 'paid', 'pending']);
  });

  const span = { since: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' };
  it.each([
    [['replay', '--since', span.since, '--until', span.until, '--dry-run'], { ...span, dry_run: true }],
    [['rebuild', '--dry-run'], { dry_run: true }],
    [['rebuild', '--verify'], {}],
  ])('reads the sandbox and the time that are chosen: %j', async (command, chosen) => {
    const { payhooks, requests } = await start(...migration);
    expect((await payhooks([...command, '--sandbox'])).code).toBe(0);
    expect(requests[0]?.body).toEqual({ mode: 'sandbox', ...chosen });
    for (const { body } of requests) expect(body).toMatchObject({ mode: 'sandbox' });
  });

  it('changes nothing without a yes', async () => {
    const { payhooks, amountsOf } = await start(...migration);
    const { code } = await payhooks(['replay', '--order', 'A', ...reason], { typed: ['n'] });
    expect([code, amountsOf('A')]).toEqual([2, ['1.00']]);
  });

  it('prints one JSON document with all pages under --json', async () => {
    const { payhooks, faults } = await start(...migration);
    faults.pageEvents = 1;
    const { stdout } = await payhooks(['replay', '--until', '2027-01-01T00:00:00Z', '--dry-run', '--json']);
    const { replayed, orders, dry_run, left } = JSON.parse(stdout);
    expect([replayed, dry_run, left]).toEqual([3, true, []]);
    expect(orders.map((order: { order_id: string }) => order.order_id)).toEqual(['A', 'B', 'C']);
  });

  it('names how many events stay as they are, and why', async () => {
    const { payhooks } = await start({ real: { id: 'e1', action: 'refunded' } });
    const { stdout } = await payhooks(['replay', '--event', 'e1', '--dry-run', '--json']);
    expect(JSON.parse(stdout).left).toEqual([{ event_id: 'e1', reason: 'waiting' }]);
  });

  it('shows what it compared where no order would change', async () => {
    const { payhooks } = await start({ real: { id: 'e1', action: 'refunded' } });
    const { stdout } = await payhooks(['replay', '--event', 'e1', '--dry-run']);
    expect(stdout).toBe(
      'Nothing to do: 0 events would be replayed; orders that change: 0. Left as they are: 1 waiting.\n',
    );
  });

  it('is also events replay', async () => {
    const { payhooks, requests, amountsOf } = await start(...migration);
    const { code } = await payhooks(['events', 'replay', 'e1', ...reason, '--yes']);
    expect([code, amountsOf('A')]).toEqual([0, ['100.00']]);
    const given = { mode: 'live', event_id: 'e1', reason: 'release 0.3.0' };
    expect(requests.map(({ route, body }) => [route, body])).toEqual([
      ['POST /operations/replay', { ...given, dry_run: true }],
      ['POST /operations/replay', { ...given, dry_run: false }],
    ]);
  });

  it('prints the command that goes on where an error ended it, and that one completes it', async () => {
    const { payhooks, faults, url, amountsOf, statusOf } = await start(...migration);
    faults.pageEvents = 1;
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'stopped by the test' };
    // Four pages of the dry run, and two of the run.
    faults.before = (count) => (count === 7 ? { status: 409, body: problem } : undefined);
    const failed = await payhooks(['replay', '--since', '2026-11-01T00:00:00Z', ...reason, '--yes']);
    expect(failed.code).toBe(1);
    const [, command = ''] = /To go on: npx payhooks (.*)/.exec(failed.stderr) ?? [];
    expect(command).toContain(`--reason 'release 0.3.0'`);
    expect(command).toContain(`--local ${url}`);
    const [, cursor = ''] = /--resume (\S+)/.exec(command) ?? [];
    const resumed = await payhooks(
      ['replay', '--since', '2026-11-01T00:00:00Z', ...reason, '--yes'].concat('--resume', cursor),
    );
    expect(resumed.code).toBe(0);
    expect([amountsOf('A'), statusOf('B'), statusOf('C')]).toEqual([['100.00'], 'paid', 'pending']);
  });

  it('requests no more events at once than the rate allows in a second', async () => {
    const { payhooks, requests } = await start(...migration);
    await payhooks(['replay', '--since', '2026-11-01T00:00:00Z', '--rate', '4', '--dry-run']);
    expect(requests[0]?.body).toMatchObject({ limit: 4 });
  });

  it.each([
    [[], 'Give one of --event, --order, and --since or --until.'],
    [['--event', 'e1', '--order', 'A'], 'Give one of --event, --order, and --since or --until.'],
    [['--since', 'yesterday'], 'Expected ISO 8601 with a zone'],
    [['--order', 'A', '--rate', '0'], 'Expected events per second, from 1 to 1000'],
  ])('refuses %j', async (argv, message) => {
    const { payhooks } = await start();
    const { code, stderr } = await payhooks(['replay', ...argv]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe('payhooks rebuild', () => {
  it('prints the differences that it has found when an error ends it', async () => {
    const { payhooks, faults } = await start(...migration);
    faults.pageEvents = 1;
    const problem = { type: 'about:blank', title: 'Conflict', status: 409, detail: 'stopped by the test' };
    faults.before = (count) => (count === 2 ? { status: 409, body: problem } : undefined);
    const { code, stdout, stderr } = await payhooks(['rebuild', '--verify']);
    expect(code).toBe(1);
    expect(stdout).toContain('A  ');
    expect(stderr).toContain('To go on: npx payhooks rebuild --verify');
  });

  it('finds what an older parser read differently, repairs it, and then finds nothing', async () => {
    const { payhooks } = await start(...migration);
    const found = await payhooks(['rebuild', '--verify']);
    expect(found.code).toBe(1);
    expect(found.stdout.split('\n')).toEqual([
      'DIFFERENCE    ORDER  EVENT',
      'missing_fact  A      e1',
      'stale_fact    A      e1',
      'missing_fact  B      e2',
      'stale_fact    C      e2',
      'stale_row     B      e2',
      '',
      ...moved,
      '',
    ]);
    expect(found.stderr).toContain('5 differences.');
    expect((await payhooks(['rebuild', ...reason, '--yes'])).code).toBe(0);
    const repaired = await payhooks(['rebuild', '--verify']);
    expect(repaired.code).toBe(0);
    expect(repaired.stdout).toBe(
      'No difference: 4 orders equal the fold of their events; 3 events compared.\n',
    );
  });

  it('lets the number of facts of an order only grow', async () => {
    const { payhooks, factsOf } = await start(...migration);
    const before = ['A', 'B', 'C', 'D'].map((id) => factsOf(id));
    await payhooks(['rebuild', ...reason, '--yes']);
    const after = ['A', 'B', 'C', 'D'].map((id) => factsOf(id));
    expect(after.map((facts) => facts.length)).toEqual([3, 1, 3, 1]);
    for (const [index, facts] of before.entries())
      expect(after[index]).toEqual(expect.arrayContaining(facts));
  });

  it('prints the differences as JSON', async () => {
    const { payhooks } = await start({ real: { id: 'e1', order: 'A' }, as: { amount: '1.00' } });
    const { code, stdout } = await payhooks(['rebuild', '--verify', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      mode: 'live',
      compared: { events: 1, orders: 1 },
      differences: [{ kind: 'missing_fact' }, { kind: 'stale_fact', order_id: 'A', event_id: 'e1' }],
    });
  });
});

describe('payhooks erase', () => {
  it('erases the bodies of an order after a dry run, and prints what remains', async () => {
    const { payhooks, rowOf, statusOf, bodyOf } = await start({ real: { id: 'e1', order: 'A' } });
    const { code, stdout } = await payhooks(['erase', '--order', 'A', '--reason', 'requested', '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('1 body of ');
    expect(stdout).toContain('No order changes.');
    expect(stdout).toContain('What remains:');
    expect([bodyOf('e1'), rowOf('e1')?.erased?.reason, statusOf('A')]).toEqual([
      undefined,
      'requested',
      'paid',
    ]);
  });

  it('erases nothing in a dry run', async () => {
    const { payhooks, bodyOf } = await start({ real: { id: 'e1', order: 'A' } });
    const { code } = await payhooks(['erase', '--event', 'e1', '--dry-run']);
    expect([code, bodyOf('e1') === undefined]).toEqual([0, false]);
  });

  it('refuses two subjects', async () => {
    const { payhooks } = await start();
    const { code, stderr } = await payhooks(['erase', '--event', 'e1', '--order', 'A']);
    expect(code).toBe(2);
    expect(stderr).toContain('Give one of --event, --order and --body-sha256.');
  });
});
