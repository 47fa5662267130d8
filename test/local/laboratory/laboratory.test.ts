import { AssertionError } from 'node:assert';
import { describe, expect, it } from 'vitest';
import { createLaboratory, laboratoryRoutes } from '../../../local/laboratory/laboratory.ts';
import { createFaults } from '../../../local/laboratory/run-record.ts';
import type { Ending, PageScenario } from '../../../local/scenarios/scenario.ts';

/** A scenario that ends when the test lets it. */
function controlled(name: string, group: PageScenario['page']['group'] = 'money') {
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  const page = { group, does: '', expected: '', guarantee: '' };
  const scenario: PageScenario = { ...{ name, title: name, alarm: null, page }, begin: () => promise };
  return { scenario, end: () => resolve({}), reject };
}

const noStage = () => ({}) as never;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the laboratory', () => {
  it('runs one scenario that breaks something at a time, and others in parallel', () => {
    const all = [controlled('consumer', 'faults'), controlled('database', 'faults'), controlled('paid')];
    const { start, view } = createLaboratory(
      all.map(({ scenario }) => scenario),
      noStage,
    );
    start('consumer');
    const refusal = '"consumer" is running, and would disturb this scenario; wait for its end.';
    expect(() => start('database')).toThrow(refusal);
    start('paid');
    expect(view().scenarios.map((scenario) => scenario.refusal)).toEqual([
      '"consumer" is running; wait for its end.',
      refusal,
      '"paid" is running; wait for its end.',
    ]);
  });

  it.each([
    [new AssertionError({ message: 'The response was 500, not 202.' }), 'The response was 500, not 202.'],
    [new Error('no queue'), 'The run ended early: Error: no queue.'],
  ])('ends a run that fails with its reason, and not as expected (%s)', async (error, seen) => {
    const paid = controlled('paid');
    const { start, view } = createLaboratory([paid.scenario], noStage);
    start('paid');
    paid.reject(error);
    await turn();
    expect(view().runs).toMatchObject([{ as_expected: false, seen }]);
  });

  it('keeps the latest twenty runs, and those that go on, however many others have ended since', async () => {
    const [paid, consumer] = [controlled('paid'), controlled('consumer', 'faults')];
    paid.end();
    const { start, view } = createLaboratory([paid.scenario, consumer.scenario], noStage);
    start('consumer');
    for (let count = 0; count < 25; count += 1) {
      start('paid');
      await turn();
    }
    expect(view().runs).toHaveLength(21);
    expect(view().runs[0]).toMatchObject({ as_expected: true, ended_at: expect.stringMatching(/Z$/) });
    expect(view().runs.at(-1)).toMatchObject({ scenario: 'consumer', ended_at: null });
  });
});

describe('a fault', () => {
  function open(milliseconds: number) {
    const stop = new AbortController();
    const steps: string[] = [];
    const step = (_: string, text: string) => steps.push(text);
    const faults = createFaults('It is broken', milliseconds, { step, signal: stop.signal });
    const fault = { begin: async () => {}, end: () => steps.push('ended'), over: 'It works again.' };
    return { ...faults, fault, stop, steps };
  }

  it('ends after its time, also when it could not begin', async () => {
    const { fail, fault, over, steps } = open(5);
    const begin = () => Promise.reject(new Error('no response'));
    await expect(fail({ ...fault, begin })).rejects.toThrow('no response');
    await over();
    expect(steps).toEqual(['It is broken, for 0.005 seconds.', 'ended', 'It works again.']);
  });
});

describe('the resources of the laboratory', () => {
  const call = async (find: Parameters<typeof laboratoryRoutes>[0], method: string, scenario = '') => {
    const route = laboratoryRoutes(find).find((one) => one.method === method);
    return route?.handle({
      parameters: { scenario },
      query: new URLSearchParams(),
      body: {},
      signal: AbortSignal.any([]),
    });
  };

  it('show the scenarios, and start one', async () => {
    const laboratory = createLaboratory([controlled('paid').scenario], noStage);
    expect(await call(() => laboratory, 'GET')).toMatchObject({
      scenarios: [{ name: 'paid', refusal: null }],
    });
    expect(await call(() => laboratory, 'POST', 'paid')).toMatchObject({ scenario: 'paid', ended_at: null });
    await expect(call(() => laboratory, 'POST', 'paid')).rejects.toMatchObject({
      status: 409,
      message: '"paid" is running; wait for its end.',
    });
    await expect(call(() => laboratory, 'POST', '__proto__')).rejects.toMatchObject({
      status: 404,
      message: 'There is no such scenario; expected one of paid.',
    });
  });

  it('respond 503 while local mode starts', async () => {
    await expect(call(() => undefined, 'GET')).rejects.toMatchObject({ status: 503 });
  });
});
