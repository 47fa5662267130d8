import { afterEach, describe, expect, it, vi } from 'vitest';
import { alarm, startSmoke } from './smoke-run.ts';

afterEach(() => vi.unstubAllEnvs());

vi.mock('../../cli/limits.ts', async (original) =>
  (await import('./short-limits.ts')).withShortLimits(original),
);

describe('the alarms', () => {
  it.each([
    ['deleted by hand', {}, `deleted by hand: ${alarm}`],
    ['switched off', { enabled: false }, `actions are off: ${alarm}`],
    ['led elsewhere', { actions: ['arn:aws:sns:us-east-1:000000000000:other'] }, 'do not tell the topic'],
  ])('fail when one was %s', async (_, change, said) => {
    const { smoke, state, armed } = await startSmoke();
    const { [alarm]: former, ...others } = state.alarms;
    state.alarms =
      Object.keys(change).length === 0 ? others : { ...others, [alarm]: { ...armed, ...change } };
    const { code, lineOf } = await smoke();
    expect(lineOf('alarms are armed')).toContain(said);
    expect([code, former]).toEqual([1, armed]);
  });

  it('point to the runbook when one rings', async () => {
    const { smoke, state, armed } = await startSmoke();
    state.alarms[alarm] = { ...armed, state: 'ALARM' };
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('alarms are quiet')).toBe(`✗ alarms are quiet       ${alarm} rings`);
    expect(stdout).toContain('→ docs/runbook.md#eventsdelayed');
    expect(code).toBe(1);
  });

  it('tell nobody while the subscription is not confirmed', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = ['PendingConfirmation'];
    const { code, stdout, lineOf } = await smoke();
    expect(lineOf('somebody is told')).toMatch(
      /^✗ .*1 subscription to the alarm topic, and none is confirmed/,
    );
    expect(stdout).toContain('Subscription Confirmation');
    expect(code).toBe(1);
  });

  it('tell nobody over a subscription that was deleted', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = ['Deleted'];
    const { code, lineOf } = await smoke();
    expect(lineOf('somebody is told')).toMatch(/^✗ .*nobody has subscribed to the alarm topic/);
    expect(code).toBe(1);
  });

  it('leave deleted subscriptions out when they count those that are not confirmed', async () => {
    const { smoke, state } = await startSmoke();
    state.subscriptions = ['Deleted', 'arn:aws:sns:us-east-1:000000000000:alarms:1', 'Deleted'];
    expect((await smoke()).lineOf('somebody is told')).toMatch(/1 confirmed subscription \(email\)$/);
    state.subscriptions = ['PendingConfirmation', ...state.subscriptions];
    expect((await smoke()).lineOf('somebody is told')).toMatch(/subscription \(email\); 1 not confirmed$/);
  });
});
