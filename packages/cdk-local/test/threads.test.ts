import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createLambdaFunction } from '../src/functions/functions.ts';
import type { Invocation } from '../src/functions/invocation.ts';
import type { FunctionModel } from '../src/template/resources.ts';

const nothing: Invocation = { ok: true, payload: 'null' };

/** Loads when `load` is called; `end` ends its invocation. */
function createEnvironment() {
  const loading = Promise.withResolvers<Invocation>();
  const running: ((outcome: Invocation) => void)[] = [];
  let alive = true;
  return {
    started: loading.promise,
    get alive() {
      return alive;
    },
    invoke: () => new Promise<Invocation>((resolve) => running.push(resolve)),
    stop: async () => {
      alive = false;
    },
    running,
    load: () => loading.resolve(nothing),
    end: () => running.shift()?.(nothing),
  };
}

function createFunction() {
  const environments: ReturnType<typeof createEnvironment>[] = [];
  const startOne = () => {
    const environment = createEnvironment();
    environments.push(environment);
    return environment;
  };
  const model: FunctionModel = {
    ...{ name: 'Worker', arn: 'arn', codeDirectory: '', handler: 'index.handler', environment: {} },
    ...{ timeoutSeconds: 60, memoryMegabytes: 256 },
  };
  const settings = { model, environment: {}, onLine: () => {} };
  const one = createLambdaFunction(settings, startOne);
  onTestFinished(one.stop);
  /** Moves the clock, and lets all that it starts go on. */
  const after = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return {
    environments,
    after,
    /** How many invocations run in each environment. */
    running: () => environments.map((environment) => environment.running.length),
    async invoke(times = 1) {
      for (let time = 0; time < times; time += 1) void one.invoke({});
      await after(0);
    },
    async load(index: number) {
      environments[index]?.load();
      await after(0);
    },
    async end(index: number) {
      environments[index]?.end();
      await after(0);
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
});

it('a waiting request gets an environment of its own once the running invocation has taken 0.1 s', async () => {
  const { environments, after, invoke, load, running } = createFunction();
  await invoke(2);
  await load(0);
  await after(99);
  expect(environments).toHaveLength(1);
  await after(1);
  await load(1);
  expect(running()).toEqual([1, 1]);
});

it('no other environment starts while one loads, however long a request waits', async () => {
  const { environments, after, invoke, load } = createFunction();
  await invoke(3);
  await after(5_000);
  expect(environments).toHaveLength(1);
  await load(0);
  await after(5_000);
  expect(environments).toHaveLength(2);
  await load(1);
  await after(5_000);
  expect(environments).toHaveLength(3);
});

it('an idle environment takes a request at once, however long the other one has run', async () => {
  const { environments, after, invoke, load, end, running } = createFunction();
  await invoke(2);
  await load(0);
  await after(100);
  await load(1);
  await after(5_000);
  for (const busy of [0, 1]) {
    // The other one has run for 5 s, then for no time.
    await end(1 - busy);
    await invoke();
    expect(running()).toEqual([1, 1]);
  }
  expect(environments).toHaveLength(2);
});

it('an environment starts for a request that has waited 1 s, although all invocations are short', async () => {
  const { environments, after, invoke, load, end } = createFunction();
  await invoke(100);
  await load(0);
  // Those that wait came at the same time as the first.
  for (let time = 0; time < 11; time += 1) {
    await after(90);
    await end(0);
  }
  expect(environments).toHaveLength(1);
  await after(10);
  expect(environments).toHaveLength(2);
});

it('short invocations that are not waited for long have one environment', async () => {
  const { environments, after, invoke, load, end } = createFunction();
  await invoke();
  await load(0);
  for (let time = 0; time < 100; time += 1) {
    await invoke();
    await after(90);
    await end(0);
  }
  expect(environments).toHaveLength(1);
});

it('requests at the same time share a loaded environment that is idle', async () => {
  const { environments, after, invoke, load, end } = createFunction();
  await invoke();
  await load(0);
  await end(0);
  await after(60_000);
  await invoke(3);
  await after(99);
  expect(environments).toHaveLength(1);
});

it('there are at most three environments', async () => {
  const { environments, after, invoke, load } = createFunction();
  await invoke(9);
  for (const index of [0, 1, 2]) {
    await load(index);
    await after(5_000);
  }
  expect(environments).toHaveLength(3);
});
