import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { setUpConsumer } from '../doubles/consumer.ts';
import { eventBody } from '../doubles/event-body.ts';
import { startLocalStack } from '../doubles/local-stack.ts';
import { operationsOver } from '../doubles/operations.ts';
import { served } from '../doubles/served-operations.ts';
import { runPayhooks } from './payhooks-process.ts';

/** The consumer, the operations API itself over its tables, and the command line. */
async function start() {
  const { consume, order, wait, clock, tables } = setUpConsumer();
  const api = operationsOver(tables, { now: () => new Date(clock.now) });
  const { url } = await startLocalStack({ operations: served(api) });
  const events = (...argv: string[]) => runPayhooks(['events', ...argv, '--local', url]);
  return { consume, order, wait, events };
}

const hashOf = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');
const reason = ['--reason', 'checked', '--yes'];

describe('an operator at the command line', () => {
  it('finds a refund without an order, gives it one, and sees its act', async () => {
    const { consume, events, order } = await start();
    await consume({ body: eventBody({ id: 'r', action: 'refunded' }) });
    expect((await events('list')).stdout).toMatch(
      /^unassigned \(1\): .*\n.*\n.* transaction\.refunded {2}r /,
    );

    const preview = await events('admit', 'r', '--order', 'A', '--dry-run');
    expect(preview.stdout).toContain('event r  unassigned (waits) -> applied\nA  new -> refunded\n');
    expect(order('A')).toBeUndefined();

    const admitted = await events('admit', 'r', '--order', 'A', ...reason);
    expect([admitted.code, admitted.stdout.endsWith('Admitted r.\n')]).toEqual([0, true]);
    expect(order('A')).toMatchObject({ status: 'refunded', events: ['r'] });
    expect((await events('list')).stdout).toBe('Nothing waits.\n');
    expect((await events('show', 'r')).stdout).toMatch(/ admit .* checked\n/);

    expect((await events('admit', 'r', '--order', 'A', ...reason)).stdout).toBe(
      'Nothing to do: r does not wait.\n',
    );
    const other = await events('admit', 'r', '--order', 'B', ...reason);
    expect([other.code, other.stderr.includes('was admitted under the order "A"')]).toEqual([1, true]);
  });

  it('shows two bodies of one id, and dismisses the second', async () => {
    const { consume, events, order } = await start();
    const second = eventBody({ id: 'p', order: 'A', amount: '40.00' });
    await consume({ body: eventBody({ id: 'p', order: 'A', amount: '100.00' }) });
    await consume({ body: second });
    const before = order('A');
    const { stdout } = await events('show', 'p', '--body');
    expect(stdout.match(/"amount": "[\d.]+"/g)).toEqual(['"amount": "100.00"', '"amount": "40.00"']);
    const dismissed = await events('dismiss', 'p', '--body-sha256', hashOf(second), ...reason);
    expect(dismissed.stdout).toContain(
      'event p  conflict (waits) -> conflict (judged)\nNo order changes.\nDismissed p.\n',
    );
    expect(order('A')).toEqual(before);
    expect((await events('list')).stdout).toBe('Nothing waits.\n');
  });

  it('finds a body that is not an event by its hash, and cannot admit it', async () => {
    const { consume, events } = await start();
    const body = Buffer.from('not an event');
    await consume({ body });
    const list = await events('list', '--kind', 'unrecognised');
    expect(list.stdout).toContain(hashOf(body));
    expect((await events('show', '--body-sha256', hashOf(body))).stdout).toContain('not an event');
    const refused = await events('admit', '--body-sha256', hashOf(body), ...reason);
    expect([refused.code, refused.stderr.includes('there is nothing to admit')]).toEqual([1, true]);
    expect((await events('dismiss', '--body-sha256', hashOf(body), ...reason)).code).toBe(0);
    expect((await events('list')).stdout).toBe('Nothing waits.\n');
  });
});
