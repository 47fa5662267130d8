import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Schedules, startSchedules } from '../src/schedules.ts';

const minute = 60_000;
let invocations: { readonly name: string; readonly event: unknown; readonly end: () => void }[];
let faults: string[];
let schedules: Schedules;

beforeEach(() => {
  vi.useFakeTimers();
  invocations = [];
  faults = [];
});
afterEach(async () => {
  for (const { end } of invocations) end();
  await schedules.stop();
  vi.useRealTimers();
});

/** A schedule of 15 minutes; an invocation lasts until the test ends it. */
function start(model: object = {}, invoke = hold): void {
  schedules = startSchedules({
    models: [{ name: 'Audit', functionName: 'Worker', intervalMilliseconds: 15 * minute, ...model }],
    invoke,
    onFault: (sentence) => faults.push(sentence),
    firstAfterMilliseconds: 1_000,
  });
}

function hold(name: string, event: unknown): Promise<void> {
  return new Promise((end) => invocations.push({ name, event, end }));
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

describe('a schedule', () => {
  it('invokes its function shortly after the start, and then at its rate', async () => {
    start();
    await pass(999);
    expect(invocations).toHaveLength(0);
    await pass(1);
    invocations[0]?.end();
    await pass(15 * minute);
    invocations[1]?.end();
    await pass(15 * minute);
    expect(invocations.map(({ name }) => name)).toEqual(['Worker', 'Worker', 'Worker']);
    expect(invocations[0]?.event).toMatchObject({
      source: 'aws.scheduler',
      'detail-type': 'Scheduled Event',
    });
  });

  it('leaves out the turns that fall into an invocation which lags', async () => {
    start();
    await pass(1_000 + 50 * minute);
    expect(invocations).toHaveLength(1);
    invocations[0]?.end();
    await pass(10 * minute);
    expect(invocations).toHaveLength(2);
  });

  it('hands over the input that the template sets', async () => {
    start({ input: { reason: 'schedule' } });
    await pass(1_000);
    expect(invocations[0]?.event).toEqual({ reason: 'schedule' });
  });

  it('has a turn at once when it is told to, behind the one under way', async () => {
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
    let stopped = false;
    const stopping = schedules.stop().then(() => {
      stopped = true;
    });
    await pass(minute);
    expect(stopped).toBe(false);
    invocations[0]?.end();
    await stopping;
    await pass(60 * minute);
    await schedules.run();
    expect(invocations).toHaveLength(1);
  });

  it('goes on after an invocation that could not be tried', async () => {
    start({}, async () => {
      throw new Error('There is no function Worker.');
    });
    await pass(1_000 + 15 * minute);
    expect(faults).toEqual(
      Array(2).fill('The schedule Audit was left out: Error: There is no function Worker.'),
    );
  });
});
