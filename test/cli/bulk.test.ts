import { describe, expect, it } from 'vitest';
import type { ActName } from '../../lambdas/contract/act-names.ts';
import { setUpConsumer } from '../doubles/consumer.ts';
import { type EventFields, eventBody } from '../doubles/event-body.ts';
import { operationsOver } from '../doubles/operations.ts';
import type { OperationsRequest } from '../doubles/operations-server.ts';
import { served } from '../doubles/served-operations.ts';
import { startLocalMode } from './local-mode.ts';

/** A payment that waits, because it is of the sandbox under a live key. */
const quarantined = (id: string, more: Partial<EventFields> = {}): EventFields => ({
  ...{ id, order: `order-${id}`, transaction: `t-${id}`, sandbox: true, ...more },
});

/** The operations API over what a consumer has stored, and the command line. */
async function start(fields: readonly EventFields[], approvals: readonly ActName[] = []) {
  const { tables, deliver, order, clock, wait } = setUpConsumer();
  await deliver(...fields.map((event) => ({ body: eventBody(event) })));
  wait(3_600);
  const api = operationsOver(tables, { now: () => new Date(clock.now), approvals: new Set(approvals) });
  const respond = served(api);
  const hooks = { before: async (_: OperationsRequest): Promise<unknown> => undefined, respond };
  const started = await startLocalMode({
    async operations(request) {
      await hooks.before(request);
      return hooks.respond(request);
    },
  });
  const deliverEvent = (event: EventFields) => deliver({ body: eventBody(event) });
  const admit = (argv: readonly string[], run = {}) => started.payhooks(['events', 'admit', ...argv], run);
  return { ...started, admit, deliverEvent, hooks, order, respond };
}

const yes = ['--reason', 'the flag was wrong', '--yes'];
const three = ['a', 'b', 'c'].map((id) => quarantined(id));

describe('payhooks events admit with several events', () => {
  it('shows sums and orders before one confirmation, acts, and names what it leaves out', async () => {
    const lost = { id: 'r', action: 'refunded', transaction: 't-lost' };
    const conflict = ['100.00', '40.00'].map((amount) => ({ id: 'p', order: 'P', amount }));
    const { admit, order } = await start([...three, lost, ...conflict]);
    const { code, stdout } = await admit(['a', 'b', 'c', 'r', 'p', ...yes]);
    expect([code, stdout.split('\n').filter((line) => !line.startsWith('  '))]).toEqual([
      1,
      [
        '3 events; orders that change: 3.',
        '3 payments: 300.00 USD',
        'r: It names no order: admit it alone, and choose the order.',
        'p: It waits as conflict: look at it, and judge it alone.',
        'quarantined: if you admit one, it counts, in the mode of its key: a test event under a live key',
        'becomes money that you never got.',
        ...['order-a  new -> paid', 'order-b  new -> paid', 'order-c  new -> paid'],
        'Applied 3. Left out: 2. r: It names no order: admit it alone, and choose the order. p: It waits as',
        'conflict: look at it, and judge it alone.',
        '',
      ],
    ]);
    expect(order('order-c')).toMatchObject({ status: 'paid', events: ['c'] });
  });

  it('takes all of a kind and time, and does again nothing that is done', async () => {
    const { admit, requests } = await start(three);
    const first = await admit(['a', 'b', ...yes]);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('Applied 2.\n')]);
    const rest = await admit(['--kind', 'quarantined', '--since', '2026-11-01T00:00:00Z', ...yes]);
    expect([rest.code, rest.stdout]).toEqual([0, expect.stringContaining('Applied 1.\n')]);
    expect(requests.at(-4)?.query).toMatchObject({ kind: 'quarantined', since: '2026-11-01T00:00:00.000Z' });
    const again = await admit(['a', 'b', 'c', ...yes]);
    expect([again.code, again.stdout]).toEqual([0, 'Nothing to do: Done already: 3.\n']);
  });

  it('applies a payment and its refund, but a second payment of the order only when its doubt was shown', async () => {
    const refund = quarantined('r', { order: 'O', action: 'refunded', transaction: 't-a', amount: '40.00' });
    const { admit, order } = await start([
      ...[quarantined('a', { order: 'O' }), refund],
      ...[quarantined('b', { order: 'O' }), quarantined('c', { order: 'O' })],
    ]);
    const { code, stdout } = await admit(['--kind', 'quarantined', ...yes]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('Applied 2. Changed in the meantime, and left: 2.'),
    ]);
    expect(order('O')).toMatchObject({ status: 'partially_refunded', attention: [], events: ['a', 'r'] });
    const again = await admit(['--kind', 'quarantined', ...yes]);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Applied 2.\n')]);
    expect(again.stdout).toContain('+ attention  multiple_paid_transactions');
  });

  it('leaves out what another operator has dismissed since it was listed', async () => {
    const { admit, hooks, order, respond } = await start(three);
    hooks.before = async ({ route }) => {
      if (route !== 'POST /operations/admit') return;
      hooks.before = async () => undefined;
      const body = { mode: 'live', event_id: 'b', reason: 'a fraud', dry_run: false };
      await respond({ route: 'POST /operations/dismiss', query: {}, body });
    };
    const { stdout } = await admit(['--kind', 'quarantined', ...yes]);
    expect(stdout).toMatch(
      /b: It waits as quarantined no more: judge it alone\. .* dismissed it at .*a fraud/,
    );
    expect([order('order-a')?.status, order('order-b')]).toEqual(['paid', undefined]);
    expect((await admit(['b', 'c', ...yes])).stdout).toContain('b: It does not wait: judge it alone.');
  });

  it('names an act that did something else than what was shown, because of what came between', async () => {
    const { admit, deliverEvent, hooks } = await start(three);
    hooks.before = async ({ body: { dry_run, event_id } }) =>
      dry_run === false &&
      event_id === 'b' &&
      deliverEvent({ id: 'r', action: 'refunded', order: 'order-b', transaction: 't-b' });
    const { code, stdout } = await admit(['--kind', 'quarantined', ...yes]);
    expect([code, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      1,
      expect.stringContaining(
        'Applied 2. Applied, with another effect than was shown: 1. ' +
          'b: Applied payment of 100.00 USD to order-b. Look at its order.',
      ),
    ]);
  });

  it('leaves the second act on an order when the order has changed since the first', async () => {
    const refund = quarantined('r', { order: 'O', action: 'refunded', transaction: 't-a', amount: '40.00' });
    const { admit, deliverEvent, hooks, order } = await start([quarantined('a', { order: 'O' }), refund]);
    hooks.before = async ({ body: { event_id } }) =>
      event_id === 'r' && order('O') && deliverEvent({ id: 'x', order: 'O', transaction: 't-x' });
    const { stdout } = await admit(['--kind', 'quarantined', ...yes]);
    expect(stdout).toContain('Applied 1. Changed in the meantime, and left: 1.');
    expect(order('O')?.events).toEqual(['a', 'x']);
  });

  it('ends at an act whose response is lost, and a repetition finds what was done, and is refused', async () => {
    const { admit, hooks, respond } = await start(three);
    const problem = (status: number) => ({
      status,
      body: { type: 'about:blank', title: 'Wrong', status, detail: 'Not this one.' },
    });
    hooks.respond = async (request) => {
      const response = await respond(request);
      return request.body['event_id'] === 'c' && request.body['dry_run'] === false ? problem(501) : response;
    };
    const { code, stderr } = await admit(['a', 'b', 'c', ...yes]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('It may have been done.')]);
    hooks.respond = (request) => (request.body['event_id'] === 'b' ? problem(409) : respond(request));
    const again = await admit(['a', 'b', 'c', ...yes]);
    expect(again.stdout).toBe('b: Not this one.\nNothing to do: Done already: 2. Refused: 1.\n');
  });

  it('ends after Ctrl-C when the acts in flight have ended, and the command that goes on does the rest', async () => {
    const many = Array.from({ length: 9 }, (_, index) => quarantined(`e${index}`));
    const { admit, hooks, url } = await start(many);
    hooks.before = async ({ body }) => body['dry_run'] === false && process.emit('SIGINT', 'SIGINT');
    const stopped = await admit(['--kind', 'quarantined', '--since', '9999d', ...yes]);
    expect([stopped.code, stopped.stdout]).toEqual([
      130,
      expect.stringMatching(/Applied 4\. Still to do: 5\.\n$/),
    ]);
    expect(stopped.stderr.replace(/since \d{4}-\S+Z/, 'since TIME')).toContain(
      `events admit --kind quarantined --since TIME --reason 'the flag was wrong' --yes --local ${url}\n`,
    );
    hooks.before = async () => undefined;
    const { stdout } = await admit(['--kind', 'quarantined', ...yes]);
    expect(stdout).toMatch(/Applied 5\.\n$/);
  });

  it('where the act needs two people, ends as a proposal for each event', async () => {
    const { admit, order } = await start(three, ['admit']);
    const { code, stdout } = await admit(['a', 'b', ...yes]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/Proposed 2\. Nothing changes until another person approves each\.\n$/),
    ]);
    expect(order('order-a')).toBeUndefined();
  });

  it('changes nothing with --dry-run, without a yes, or with options that are for one event', async () => {
    const { admit, order } = await start(three);
    const dryRun = await admit(['--kind', 'quarantined', '--dry-run', '--json']);
    expect([dryRun.code, JSON.parse(dryRun.stdout).results]).toMatchObject([
      0,
      [{ event_id: 'a', state: 'planned' }, { event_id: 'b' }, { event_id: 'c' }],
    ]);
    const refused = await admit(['a', 'b'], { typed: ['checked', 'n'] });
    expect([refused.code, refused.stderr.includes('Apply 2 events? [y/N]')]).toEqual([2, true]);
    expect(order('order-a')).toBeUndefined();
    for (const [argv, message] of [
      [['a', 'b', '--order', 'O'], '--order, --body-sha256 and --name are for one event'],
      [['a', '--kind', 'quarantined'], 'Give ids or --kind, not both.'],
      [['a', '--since', '2h'], '--since and --until need --kind.'],
      [['--kind', 'conflict'], 'Allowed choices are unassigned, quarantined'],
    ] as const)
      expect(await admit([...argv, ...yes])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
  });
});
