import type { Order } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { experimentNames, type LaboratoryFault } from '../../../console/contract/laboratory.ts';
import { alarmGuide } from '../../../lambdas/contract/alarm-guide.ts';
import { both, type Experiment } from '../../../local/laboratory/experiment.ts';
import { runFault } from '../../../local/laboratory/fault.ts';
import { withKey } from '../../../local/laboratory/key-rotation.ts';
import { createLaboratory } from '../../../local/laboratory/laboratory.ts';
import { experiments } from '../../../local/laboratory/open-laboratory.ts';
import { seeNoneRecorded } from '../../../local/laboratory/payments.ts';
import { laboratoryRoutes } from '../../../local/laboratory/routes.ts';
import { createRunRecord, type Verdict } from '../../../local/laboratory/run-record.ts';
import { isAsExpected } from '../../../local/laboratory/sights.ts';

const good: Verdict = { asExpected: true, seen: 'It is so.' };
const facts = { name: 'paid', title: 'Paid', expected: 'The order is paid.' } as const;

/** An experiment that ends when the test lets it. */
function controlled(name: Experiment['name'], disturbs: boolean) {
  const { promise, resolve, reject } = Promise.withResolvers<Verdict>();
  const about = { group: 'money', title: name, does: '', expected: '', guarantee: '', alarm: null } as const;
  const experiment: Experiment = { ...about, name, disturbs, run: () => promise };
  return { experiment, resolve, reject };
}

const noBench = () => ({}) as never;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the laboratory', () => {
  it('runs one experiment that disturbs at a time, and others in parallel', () => {
    const [burst, fault, paid] = [
      controlled('burst', true),
      controlled('broken-database', true),
      controlled('paid', false),
    ];
    const all = [burst, fault, paid].map(({ experiment }) => experiment);
    const { start, view } = createLaboratory(all, noBench);
    expect(start('burst').ok).toBe(true);
    const detail = '"burst" is running, and would disturb this experiment; wait for its end.';
    expect(start('broken-database')).toEqual({ ok: false, status: 409, detail });
    expect(start('paid').ok).toBe(true);
    const refusals = view().experiments.map(({ refusal }) => refusal);
    expect(refusals).toEqual([
      '"burst" is running; wait for its end.',
      detail,
      '"paid" is running; wait for its end.',
    ]);
  });

  it('starts an experiment again once its run has ended', async () => {
    const paid = controlled('paid', false);
    const { start, view } = createLaboratory([paid.experiment], noBench);
    start('paid');
    paid.resolve(good);
    await turn();
    expect(view().runs).toMatchObject([{ as_expected: true, seen: 'It is so.', ended_at: /Z$/ }]);
    expect(start('paid').ok).toBe(true);
    expect(view().runs.map(({ ended_at }) => ended_at === null)).toEqual([true, false]);
  });

  it('ends a run that fails with its reason, and not as expected', async () => {
    const paid = controlled('paid', false);
    const { start, view } = createLaboratory([paid.experiment], noBench);
    start('paid');
    paid.reject(new Error('no queue'));
    await turn();
    const seen = 'The run ended early: Error: no queue.';
    expect(view().runs).toMatchObject([{ as_expected: false, seen }]);
  });

  it('keeps the latest twenty runs', async () => {
    const paid = controlled('paid', false);
    paid.resolve(good);
    const { start, view } = createLaboratory([paid.experiment], noBench);
    for (let count = 0; count < 25; count += 1) {
      start('paid');
      await turn();
    }
    expect(view().runs).toHaveLength(20);
  });

  it('keeps a run that goes on, however many others have ended since', async () => {
    const [paid, burst] = [controlled('paid', false), controlled('burst', true)];
    paid.resolve(good);
    const { start, view } = createLaboratory([paid.experiment, burst.experiment], noBench);
    start('burst');
    for (let count = 0; count < 25; count += 1) {
      start('paid');
      await turn();
    }
    expect(view().runs).toHaveLength(21);
    expect(view().runs.at(-1)).toMatchObject({ experiment: 'burst', ended_at: null });
  });

  it('names the experiments that there are when one is unknown', () => {
    const { start } = createLaboratory([controlled('paid', false).experiment], noBench);
    const detail = 'There is no such experiment; expected one of paid.';
    expect(start('unpaid')).toEqual({ ok: false, status: 404, detail });
  });
});

describe('the experiments', () => {
  it('are those of the contract, in its order', () => {
    expect(experiments.map(({ name }) => name)).toEqual([...experimentNames]);
  });

  it('fire alarms that the stack has', () => {
    const alarms = experiments.flatMap(({ alarm }) => alarm ?? []);
    expect(alarms.length).toBeGreaterThan(3);
    expect(alarms.filter((alarm) => !Object.hasOwn(alarmGuide, alarm))).toEqual([]);
  });

  it('disturb each other when they load or break the pipeline', () => {
    const disturbing = experiments.filter(({ disturbs }) => disturbs).map(({ name }) => name);
    expect(disturbing).toEqual(['burst', 'broken-database', 'stopped-consumer', 'key-rotation']);
  });
});

describe('a verdict', () => {
  it('of several is as expected only if all are', () => {
    const bad = { asExpected: false, seen: 'It is not.' };
    expect(both(good, good).asExpected).toBe(true);
    expect(both(good, bad)).toEqual({ asExpected: false, seen: 'It is so. It is not.' });
  });

  const order = { status: 'paid', attention: ['disputed', 'currency_mixed'], events: [{}, {}] };
  it.each([
    [{ status: 'paid', attention: ['currency_mixed', 'disputed'], events: 2 }, true],
    [{ status: 'paid', attention: ['currency_mixed', 'disputed'], events: 1 }, false],
    [{ status: 'refunded', attention: ['currency_mixed', 'disputed'], events: 2 }, false],
    [{ status: 'paid', events: 2 }, false],
  ] as const)('compares status, attention and events of an order (%#)', (expected, isMatch) => {
    const { attention = [], ...rest } = expected as { attention?: readonly Order['attention'][number][] } & {
      status: Order['status'];
      events: number;
    };
    const given = { ...rest, attention: [...attention] };
    expect(isAsExpected(order as unknown as Order, given)).toBe(isMatch);
    expect(isAsExpected(undefined, given)).toBe(false);
  });
});

describe('a fault', () => {
  function begin(work: () => Promise<unknown>, { milliseconds = 5, endsWithWork = false } = {}) {
    const record = createRunRecord(facts);
    const faults = new Set<LaboratoryFault>();
    const stop = new AbortController();
    const seen: string[] = [];
    const running = runFault(
      {
        ...{ title: 'Broken', over: 'Works again.', milliseconds, endsWithWork },
        begin: async () => () => seen.push(`ended with ${faults.size} shown`),
      },
      work,
      { experiment: 'paid', record, faults, signal: stop.signal },
    );
    return { running, seen, faults, stop, steps: () => record.view().steps.map(({ text }) => text) };
  }

  it('ends after its time, although the work fails at once', async () => {
    const { running, seen, faults, steps } = begin(() => Promise.reject(new Error('no response')));
    await expect(running).rejects.toThrow('no response');
    expect(seen).toEqual(['ended with 1 shown']);
    expect(faults.size).toBe(0);
    expect(steps()).toEqual(['Broken, for 0.005 seconds.', 'Works again.']);
  });

  it('ends after its time while the work goes on', async () => {
    const work = Promise.withResolvers<string>();
    const { running, seen } = begin(() => work.promise);
    await expect.poll(() => seen).toHaveLength(1);
    work.resolve('done');
    expect(await running).toBe('done');
  });

  it('ends with the work where it lasts at most its time', async () => {
    const { running, seen } = begin(async () => 'done', { milliseconds: 3_600_000, endsWithWork: true });
    expect(await running).toBe('done');
    expect(seen).toHaveLength(1);
  });

  it('ends when local mode stops', async () => {
    const { running, seen, stop } = begin(async () => 'done', { milliseconds: 3_600_000 });
    await turn();
    expect(seen).toEqual([]);
    stop.abort();
    await running;
    expect(seen).toHaveLength(1);
  });
});

describe('a look while a fault is on', () => {
  const bench = (events: readonly object[]) => ({
    orders: { order: async () => ({ status: 'paid', events }) } as never,
    record: createRunRecord(facts),
    signal: new AbortController().signal,
  });
  const seen = '2 of 2 payments are recorded while the fault lasts.';

  it('is not as expected when payments are recorded, because then nothing was broken', async () => {
    const verdict = await seeNoneRecorded(bench([{}]), ['o-1', 'o-2'], () => true);
    expect(verdict).toEqual({ asExpected: false, seen });
  });

  it('is as expected when none is recorded, and decides nothing once the fault is over', async () => {
    const none = await seeNoneRecorded(bench([]), ['o-1', 'o-2'], () => true);
    const late = await seeNoneRecorded(bench([{}]), ['o-1', 'o-2'], () => false);
    expect([none.asExpected, late.asExpected]).toEqual([true, true]);
    expect(late.seen).toBe('The fault was over before the last payment was sent.');
  });
});

describe('the experiment with duplicates', () => {
  it('is not as expected when one of the three deliveries is refused', async () => {
    const deliveries = ['delivered', 'given-up', 'delivered'].map((state) => ({ state })).values();
    const bench = {
      ...{ orderId: 'o-1', record: createRunRecord(facts) },
      send: async () => deliveries.next().value,
      until: async () => ({ order_id: 'o-1', mode: 'live', status: 'paid', attention: [], events: [{}] }),
    };
    const duplicate = experiments.find(({ name }) => name === 'duplicate');
    expect(await duplicate?.run(bench as never)).toMatchObject({
      asExpected: false,
      seen: '2 of 3 got 2xx. o-1 is paid after 1 event.',
    });
  });
});

describe('the keys after a rotation', () => {
  const times = { now: 1_000, othersEnd: 5_000 };

  it('are the new one, and the others of its mode until the end of the overlap', () => {
    const entries = [
      { key: 'pri_old' },
      { key: 'pri_sandbox_s' },
      { key: 'pri_older', acceptedUntil: 2_000 },
    ];
    expect(withKey(entries, 'pri_new', times)).toEqual([
      { key: 'pri_new' },
      { key: 'pri_old', acceptedUntil: 5_000 },
      { key: 'pri_sandbox_s' },
      { key: 'pri_older', acceptedUntil: 2_000 },
    ]);
  });

  it('lose those that have ended, so that the secret does not fill, and name no key twice', () => {
    const entries = [
      { key: 'pri_ended', acceptedUntil: 1_000 },
      { key: 'pri_new', acceptedUntil: 3_000 },
    ];
    expect(withKey(entries, 'pri_new', times)).toEqual([{ key: 'pri_new' }]);
  });
});

describe('the resources of the laboratory', () => {
  const call = async (find: Parameters<typeof laboratoryRoutes>[0], method: string, experiment = '') => {
    const route = laboratoryRoutes(find).find((one) => one.method === method);
    return route?.handle({ parameters: { experiment }, query: new URLSearchParams(), body: {} });
  };

  it('show the experiments, and start one', async () => {
    const laboratory = createLaboratory([controlled('paid', false).experiment], noBench);
    expect(await call(() => laboratory, 'GET')).toMatchObject({
      experiments: [{ name: 'paid', refusal: null }],
    });
    expect(await call(() => laboratory, 'POST', 'paid')).toMatchObject({
      experiment: 'paid',
      ended_at: null,
    });
    await expect(call(() => laboratory, 'POST', 'paid')).rejects.toMatchObject({
      status: 409,
      message: '"paid" is running; wait for its end.',
    });
    await expect(call(() => laboratory, 'POST', '__proto__')).rejects.toMatchObject({ status: 404 });
  });

  it('respond 503 while local mode starts', async () => {
    await expect(call(() => undefined, 'GET')).rejects.toMatchObject({ status: 503 });
  });
});
