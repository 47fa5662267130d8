import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Schedules, startSchedules } from '../src/schedules.ts';

const minute = 60_000;
let invocations: { readonly name: string; readonly event: unknown; readonly end: () => void }[];
let schedules: Schedules;

beforeEach(() => {
  vi.useFakeTimers();
  invocations = [];
});
afterEach(async () => {
  for (const { end } of invocations) end();
  await schedules.stop();
});

/** Lasts until the test ends it. */
const hold = (name: string, event: unknown): Promise<void> =>
  new Promise((end) => invocations.push({ name, event, end }));

function start(): void {
  schedules = startSchedules({
    models: [{ name: 'Audit', functionName: 'Worker', intervalMilliseconds: 15 * minute }],
    invoke: hold,
    onFault: (sentence) => expect.unreachable(sentence),
    firstAfterMilliseconds: 1_000,
  });
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a schedule', () => {
  it('invokes its function soon after the start, and then at its rate', async () => {
    start();
    await pass(999);
    expect(invocations).toHaveLength(0);
    await pass(1);
    invocations[0]?.end();
    await pass(15 * minute);
    invocations[1]?.end();
    await pass(15 * minute);
    expect(invocations.map(({ name }) => name)).toEqual(['Worker', 'Worker', 'Worker']);
    const event = { source: 'aws.scheduler', 'detail-type': 'Scheduled Event' };
    expect(invocations[0]?.event).toMatchObject(event);
  });

  it('leaves out invocations that would overlap a slow one', async () => {
    start();
    await pass(1_000 + 50 * minute);
    expect(invocations).toHaveLength(1);
    invocations[0]?.end();
    await pass(10 * minute);
    expect(invocations).toHaveLength(2);
  });

  it('runs at once on request, after an invocation that is under way', async () => {
    start();
    const first = schedules.run();
    await pass(0);
    const second = schedules.run();
    await pass(0);
    expect(invocations).toHaveLength(1);
    invocations[0]?.end();
    await first;
    await pass(0);
    expect(invocations).toHaveLength(2);
    invocations[1]?.end();
    await second;
  });

  it('stops when the invocation under way has ended, and begins no other', async () => {
    start();
    await pass(1_000);
    const onStopped = vi.fn();
    const stopping = schedules.stop().then(onStopped);
    await pass(minute);
    expect(onStopped).not.toHaveBeenCalled();
    invocations[0]?.end();
    await stopping;
    await pass(60 * minute);
    await schedules.run();
    expect(invocations).toHaveLength(1);
  });
});
