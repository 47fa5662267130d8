import { describe, expect, it } from 'vitest';
import { levelGauges, levelKinds } from '../../../lambdas/contract/metrics.ts';
import { createWaitingCount } from '../../../lambdas/waiting-count/waiting-count.ts';
import { recordTelemetry } from '../../doubles/telemetry.ts';

const minute = 60_000;
const nothing = Object.fromEntries(levelKinds.map((kind) => [kind, 0]));

/** The count over an index in memory, whose partitions are named such as `live:conflict`. */
function setUp() {
  const index = new Map<string, number>();
  const telemetry = recordTelemetry();
  let now = Date.UTC(2026, 10, 21, 12);
  let fault: Error | undefined;
  const countWaiting = createWaitingCount({
    waiting: {
      async count(mode, kind) {
        if (fault !== undefined) throw fault;
        return index.get(`${mode}:${kind}`) ?? 0;
      },
    },
    now: () => now,
    telemetry,
  });
  return {
    ...{ index, telemetry, countWaiting },
    /** What the index throws from now on. */
    fail: (error?: Error) => {
      fault = error;
    },
    /** What one run emits, as "metric value". */
    async run(minutesLater = 2) {
      now += minutesLater * minute;
      telemetry.measured.length = 0;
      await countWaiting();
      return telemetry.measured.map(({ metric, value }) => `${metric} ${value}`);
    },
  };
}

const zeros = levelKinds.map((kind) => `${levelGauges[kind]} 0`);

describe('the count of what waits', () => {
  it('adds up live and sandbox rows of each kind into one gauge', async () => {
    const { index, run, telemetry } = setUp();
    for (const [n, kind] of levelKinds.entries()) index.set(`live:${kind}`, 2 * n).set(`sandbox:${kind}`, 1);
    expect(await run()).toEqual([
      'EventsUnassigned 1',
      'EventsQuarantined 3',
      'OrdersFull 5',
      'EventConflicts 7',
      'EventsUnrecognised 9',
      'MessagesUnsealed 11',
      'EventNamesUnknown 13',
      'OrdersWithAttention 15',
      'ApprovalsWaiting 17',
    ]);
    expect(new Set(telemetry.measured.map(({ unit }) => unit))).toEqual(new Set(['Count']));
  });

  it('emits zeros for six minutes after a start and after the last row, and nothing after that', async () => {
    const { index, run } = setUp();
    for (const _ of [1, 2, 3]) expect(await run()).toEqual(zeros);
    expect(await run()).toEqual([]);
    index.set('live:conflict', 1);
    expect(await run()).toEqual(['EventConflicts 1']);
    index.clear();
    for (const _ of [1, 2, 3]) expect(await run()).toEqual(['EventConflicts 0']);
    expect(await run()).toEqual([]);
  });

  it('emits zeros after the last row also when no count succeeded for longer than that', async () => {
    const { index, run, fail } = setUp();
    index.set('live:conflict', 1);
    await run();
    index.clear();
    fail(new Error('throttled'));
    for (const _ of [1, 2, 3, 4]) await expect(run()).rejects.toThrow('throttled');
    fail();
    for (const _ of [1, 2, 3]) expect(await run()).toContain('EventConflicts 0');
    expect(await run()).toEqual([]);
  });

  it('emits zeros after a pause, in which another instance may have seen the last row', async () => {
    const { run } = setUp();
    for (const _ of [1, 2, 3, 4]) await run();
    // The schedule may be a minute late.
    expect(await run(3)).toEqual([]);
    for (const pause of [4, 2, 2]) expect(await run(pause)).toEqual(zeros);
    expect(await run()).toEqual([]);
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

  it('fails without emitting a gauge when a part of the index cannot be read', async () => {
    const { fail, countWaiting, telemetry } = setUp();
    fail(new Error('throttled'));
    await expect(countWaiting()).rejects.toThrow('throttled');
    expect(telemetry.measured).toEqual([]);
    expect(telemetry.flushes()).toBe(1);
  });
});
