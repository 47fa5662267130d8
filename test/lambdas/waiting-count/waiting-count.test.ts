import { describe, expect, it } from 'vitest';
import { levelKinds } from '../../../lambdas/contract/metrics.ts';
import { createWaitingCount } from '../../../lambdas/waiting-count/waiting-count.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const nothing = Object.fromEntries(levelKinds.map((kind) => [kind, 0]));

/** The count over an index in memory, whose partitions are named such as `live:conflict`. */
function setUp() {
  const index = new Map<string, number>();
  const telemetry = recordTelemetry();
  let fault: Error | undefined;
  const countWaiting = createWaitingCount({
    waiting: {
      async count(mode, kind) {
        if (fault !== undefined) throw fault;
        return index.get(`${mode}:${kind}`) ?? 0;
      },
    },
    telemetry,
  });
  return {
    ...{ index, telemetry, countWaiting },
    /** What the index throws from now on. */
    fail: (error?: Error) => {
      fault = error;
    },
    /** The gauge of one run, and how many kinds were added. */
    async run() {
      telemetry.measured.length = 0;
      telemetry.metrics.length = 0;
      await countWaiting();
      expect(telemetry.measured).toMatchObject([{ metric: 'DecisionsWaiting', unit: 'Count' }]);
      return [telemetry.measured[0]?.value, telemetry.metrics.length];
    },
  };
}

describe('the count of what waits', () => {
  it('adds up live and sandbox rows of every kind, and emits zero when nothing waits', async () => {
    const { index, run } = setUp();
    for (const [n, kind] of levelKinds.entries()) index.set(`live:${kind}`, 2 * n).set(`sandbox:${kind}`, 1);
    expect(await run()).toEqual([81, 0]);
    index.clear();
    expect(await run()).toEqual([0, 0]);
  });

  it('counts a kind that begins to wait while another one does, so that a second mail is sent', async () => {
    const { index, run, telemetry } = setUp();
    index.set('live:conflict', 1);
    // An instance cannot know what waited before its first count.
    expect(await run()).toEqual([1, 0]);
    index.set('live:conflict', 2);
    expect(await run()).toEqual([2, 0]);
    index.set('sandbox:attention', 1).set('live:approval', 1);
    expect(await run()).toEqual([4, 2]);
    expect(telemetry.metrics).toContain('WaitingKindsAdded');
    index.clear();
    // After the last row, the alarm is on for ten minutes more.
    index.set('live:unsealed', 1);
    expect(await run()).toEqual([1, 1]);
    index.clear();
    for (const _ of [1, 2, 3]) expect(await run()).toEqual([0, 0]);
    index.set('live:conflict', 1);
    expect(await run()).toEqual([1, 1]);
    // Then it sends the mail itself.
    index.clear();
    for (const _ of [1, 2, 3, 4]) expect(await run()).toEqual([0, 0]);
    index.set('live:conflict', 1);
    expect(await run()).toEqual([1, 0]);
  });

  it('returns the counts to an operator who invokes it', async () => {
    const { index, countWaiting } = setUp();
    index.set('sandbox:unassigned', 4);
    index.set('live:event_name', 1);
    expect(await countWaiting()).toEqual({ ...nothing, unassigned: 4, event_name: 1 });
  });

  it('logs a line at the start, and when the counts change', async () => {
    const { index, telemetry, run } = setUp();
    await run();
    index.set('live:conflict', 1).set('live:unrecognised', 2);
    await run();
    await run();
    index.clear();
    for (const _ of [1, 2, 3]) await run();
    expect(telemetry.lines.map(({ level, message, fields }) => [level, message, fields['detail']])).toEqual([
      ['notice', 'waiting counted', 'nothing waits'],
      ['notice', 'waiting counted', 'conflict 1, unrecognised 2'],
      ['notice', 'waiting counted', 'nothing waits'],
    ]);
  });

  it('fails without a gauge when a part of the index cannot be read, so that its alarm fires', async () => {
    const { fail, countWaiting, telemetry } = setUp();
    fail(new Error('throttled'));
    await expect(countWaiting()).rejects.toThrow('throttled');
    expect(telemetry.measured).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
  });
});
