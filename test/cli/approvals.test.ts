import { expect, it } from 'vitest';
import { actNames } from '../../lambdas/contract/act-names.ts';
import { setUpConsumer } from '../doubles/consumer.ts';
import { payment, refund, sent } from '../doubles/event-body.ts';
import { operationsOver } from '../doubles/operations.ts';
import { served } from '../doubles/served-operations.ts';
import { startLocalMode } from './local-mode.ts';
import type { Run } from './payhooks-process.ts';

/** A stack on which every act needs two people, and its command line for one of them. */
async function start(...messages: readonly ReturnType<typeof sent>[]) {
  const { deliver, tables, order } = setUpConsumer();
  await deliver(...messages);
  const operations = operationsOver(tables, { approvals: new Set(actNames) });
  let user = '';
  const local = await startLocalMode({
    operations: served((event) => {
      const requestContext = {
        ...event.requestContext,
        authorizer: { iam: { userArn: `arn:aws:iam::1:user/${user}` } },
      };
      return operations({ ...event, requestContext } as typeof event);
    }),
  });
  function payhooks(by: string, argv: readonly string[], options: Run = {}) {
    user = by;
    return local.payhooks(argv, options);
  }
  return { payhooks, tables, order, deliver, ids: () => [...tables.proposals.values()].map(({ id }) => id) };
}

const why = ['--reason', 'confirmed by phone', '--yes'];
const admit = ['events', 'admit', 'r', '--order', 'A', ...why];

it('an act that needs two people is proposed by one and done by the other, and its history names both', async () => {
  const { payhooks, order, ids } = await start(refund);
  const proposed = await payhooks('ann', admit);
  const [id = ''] = ids();
  expect([proposed.code, order('A')]).toEqual([0, undefined]);
  expect(proposed.stdout).toContain(`Proposed. Nothing changes until another person approves ${id}.`);
  expect(proposed.stdout).toContain(`→ npx payhooks approvals approve ${id} --local`);

  const listed = await payhooks('bob', ['approvals', 'list']);
  expect(listed.stdout).toMatch(
    new RegExp(
      `^${id}  Apply refund of 40.00 USD to A\nadmit, event_id r, order_id A\nproposed by ann .* ago: "confirmed`,
    ),
  );
  expect(listed.stdout).toContain('A  new -> refunded');
  expect(listed.stdout).toContain('Acts that need two people: admit, dismiss, resolve, replay, erase');

  const own = await payhooks('ann', ['approvals', 'approve', id, ...why]);
  expect([own.code, own.stderr]).toEqual([1, expect.stringContaining('another identity must approve it')]);

  const approved = await payhooks('bob', ['approvals', 'approve', id], { typed: ['I agree', 'y'] });
  expect(approved.stdout).toMatch(/^ann proposed it at \S+: "confirmed by phone"\./);
  expect(approved.stderr).toContain('Approve: Apply refund of 40.00 USD to A? [y/N]');
  expect([approved.code, approved.stdout.includes('Approved. Applied refund of 40.00 USD to A.')]).toEqual([
    0,
    true,
  ]);
  expect(order('A')).toMatchObject({ status: 'refunded' });

  const { stdout } = await payhooks('ann', ['events', 'show', 'r']);
  expect(stdout).toMatch(/propose +ann +confirmed by phone/);
  expect(stdout).toMatch(/admit +bob, proposed by ann +I agree/);
  const again = await payhooks('cat', ['approvals', 'approve', id, ...why]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Nothing to do')]);
});

it('a proposal that would do something else now is shown as that, and not approved', async () => {
  const { payhooks, order, ids, deliver } = await start(sent({ id: 'p' }));
  await payhooks('ann', ['events', 'admit', 'p', '--order', 'A', ...why]);
  await deliver(refund);
  const { code, stdout, stderr } = await payhooks('bob', ['approvals', 'approve', ...ids(), ...why]);
  expect(stdout).toContain('A  new -> partially_refunded');
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('This is not what was proposed: something has'),
  ]);
  expect(order('A')).toBeUndefined();
});

it('a run over many events is approved and done in its pages', async () => {
  const { payhooks, ids, tables } = await start(payment);
  const run = ['replay', '--since', '2026-11-21T00:00:00Z', '--publish', ...why];
  expect((await payhooks('ann', run)).stdout).toContain('Proposed.');
  const { code, stdout } = await payhooks('bob', ['approvals', 'approve', ...ids(), ...why, '--rate', '50']);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Approved. 1 event replayed')]);
  expect([...tables.proposals.values()]).toMatchObject([{ waits: false }]);
});

it('a rebuild is one proposal for all parts of the tables, and is done as a whole', async () => {
  const { payhooks, ids, tables, order } = await start(payment);
  tables.orders.clear();
  expect((await payhooks('ann', ['rebuild', ...why])).stdout).toContain('Proposed.');
  expect(ids()).toHaveLength(1);
  const { code, stdout } = await payhooks('bob', ['approvals', 'approve', ...ids(), ...why]);
  expect([code, stdout]).toEqual([0, expect.stringContaining('Approved. 1 event rebuilt')]);
  expect(order('A')).toMatchObject({ status: 'paid' });
});

it('a proposal is rejected with a reason, also as JSON', async () => {
  const { payhooks, ids, order } = await start(refund);
  await payhooks('ann', admit);
  const unsure = await payhooks('bob', ['approvals', 'reject', ...ids()], { typed: ['unknown', 'n'] });
  expect(unsure.stderr).toContain('Reject: Apply refund of 40.00 USD to A? [y/N]');
  const { code, stdout } = await payhooks('bob', ['approvals', 'reject', ...ids(), ...why, '--json']);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { changed: true, reason: 'confirmed by phone' }]);
  expect(order('A')).toBeUndefined();
  const again = await payhooks('bob', ['approvals', 'reject', ...ids(), ...why]);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('approved or rejected already')]);
  expect((await payhooks('bob', ['approvals', 'list'])).stdout).toContain(
    'Nothing waits for another person.',
  );
  const unexplained = await payhooks('bob', ['approvals', 'reject', ...ids()]);
  expect([unexplained.code, unexplained.stderr.includes('--reason is missing')]).toEqual([2, true]);
});
