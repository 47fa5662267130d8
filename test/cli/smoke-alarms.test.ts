import { afterEach, describe, expect, it, vi } from 'vitest';
import { stackName } from '../doubles/deployed-stack.ts';
import { startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original),
);

const alarm = `${stackName}-EventsDelayed`;
const confirmed = 'arn:aws:sns:us-east-1:000000000000:alarms:1';

describe('payhooks smoke', () => {
  it.each([
    ['was deleted by hand', undefined, `deleted by hand: ${alarm}`],
    ['is disabled', { enabled: false }, `actions are disabled: ${alarm}`],
    [
      'notifies another topic',
      { actions: ['arn:aws:sns:us-east-1:000000000000:other'] },
      "the stack's topic:",
    ],
  ])('fails when an alarm %s', async (_, change, message) => {
    const { smoke, state, armed } = await startSmoke();
    const { [alarm]: _former, ...others } = state.alarms;
    state.alarms = change === undefined ? others : { ...others, [alarm]: { ...armed, ...change } };
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are enabled')).toContain(message);
    expect(code).toBe(1);
  });

  it('fails when an alarm is firing, and points to its section of the runbook', async () => {
    const { smoke, state, armed } = await startSmoke();
    state.alarms[alarm] = { ...armed, state: 'ALARM' };
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('alarms are quiet')).toBe(`✗ alarms are quiet       ${alarm} is firing`);
    expect([code, fixOf('alarms are quiet')]).toEqual([1, '    → docs/runbook.md#eventsdelayed']);
  });

  it.each([
    ['is not confirmed', 'PendingConfirmation', 'has 1 subscription, and none is confirmed', 'Confirmation'],
    ['was deleted', 'Deleted', 'has no subscription, so alarms notify no one', 'aws sns subscribe'],
  ])('fails when the only subscription to the alarms %s', async (_, arn, message, fix) => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = [arn];
    const { code, lineOf, fixOf } = await smoke();
    expect(lineOf('alarm subscription')).toBe(`✗ alarm subscription     the alarm topic ${message}`);
    expect([code, fixOf('alarm subscription')]).toEqual([1, expect.stringContaining(fix)]);
  });

  it.each([
    [['Deleted', confirmed, 'Deleted'], '1 confirmed subscription (email)'],
    [['Deleted', confirmed, 'PendingConfirmation'], '1 confirmed subscription (email); 1 not confirmed'],
  ])('counts no deleted subscription in %j', async (subscriptions, message) => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = subscriptions;
    const { lineOf } = await smoke();
    expect(lineOf('alarm subscription')).toBe(`✓ alarm subscription     the alarm topic has ${message}`);
  });
});
