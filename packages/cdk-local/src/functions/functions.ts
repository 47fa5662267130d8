import { allSettled } from '../all-settled.ts';
import type { FunctionModel } from '../template/resources.ts';
import {
  type ExecutionEnvironment,
  type FunctionSettings,
  startEnvironment,
} from './execution-environment.ts';
import { type FunctionEndpoints, functionEnvironment } from './function-environment.ts';
import type { Invocation } from './invocation.ts';

/** A function of the template cannot start, or a mapping leads nowhere. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

export type Functions = ReturnType<typeof createFunctions>;

export function createFunctions(
  models: readonly FunctionModel[],
  endpoints: FunctionEndpoints,
  onLine: (source: FunctionModel, line: string) => void,
) {
  const functions = new Map(
    models.map((model) => {
      const environment = functionEnvironment(model, endpoints);
      const passOn = (line: string): void => onLine(model, line);
      return [model.name, createLambdaFunction({ model, environment, onLine: passOn })];
    }),
  );
  const find = (name: string): LambdaFunction => {
    const found = functions.get(name);
    if (found === undefined) throw new StackError(`There is no function ${name}.`);
    return found;
  };
  return {
    /** Loads these handlers, so that the first request does not wait for it. Rejects with a `StackError`. */
    async warm(names: ReadonlySet<string>) {
      const warmOne = async (name: string): Promise<void> => {
        const outcome = await find(name).warm();
        if (outcome.ok) return;
        throw new StackError(`${name} does not start: ${outcome.errorType}: ${outcome.errorMessage}`);
      };
      await allSettled([...names].map(warmOne));
    },
    invoke: async (functionName: string, event: unknown): Promise<Invocation> =>
      find(functionName).invoke(event),
    async stop() {
      await allSettled([...functions.values()].map((one) => one.stop()));
    },
  };
}

/**
 * Lambda would start an environment for every waiting request. On one machine more threads than this only
 * compete for the processor, so further requests wait for a free one.
 */
const environmentsMax = 3;

type LambdaFunction = ReturnType<typeof createLambdaFunction>;

/** A function that can be invoked, over a few environments that start on demand and are kept warm. */
export function createLambdaFunction(settings: FunctionSettings) {
  const environments = new Set<ExecutionEnvironment>();
  const idle: ExecutionEnvironment[] = [];
  const waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  let isLoading = false;
  let stopped = false;

  const start = (): ExecutionEnvironment => {
    const environment = startEnvironment(settings);
    environments.add(environment);
    isLoading = true;
    void environment.started.then(() => {
      isLoading = false;
      startForWaiting();
    });
    return environment;
  };
  const dropDead = (): void => {
    for (const environment of environments) if (!environment.alive) environments.delete(environment);
    idle.splice(0, idle.length, ...idle.filter((environment) => environment.alive));
  };
  /** One at a time: a request often gets a free environment before another has loaded. */
  const startForWaiting = (): void => {
    dropDead();
    if (waiting.length === 0 || stopped || isLoading || environments.size === environmentsMax) return;
    waiting.shift()?.(start());
  };
  const acquire = async (): Promise<ExecutionEnvironment> => {
    dropDead();
    // The one that served last is the warmest.
    const free = idle.pop();
    if (free !== undefined) return free;
    if (environments.size === 0) return start();
    return new Promise((resolve) => {
      waiting.push(resolve);
      startForWaiting();
    });
  };
  const release = (environment: ExecutionEnvironment): void => {
    dropDead();
    const next = waiting.shift();
    if (next !== undefined) next(environment.alive || stopped ? environment : start());
    else if (environment.alive) idle.push(environment);
  };

  return {
    /** Loads the handler before the first request; the outcome is a failure when it cannot be loaded. */
    async warm(): Promise<Invocation> {
      const environment = await acquire();
      const outcome = await environment.started;
      release(environment);
      return outcome;
    },
    /** Never rejects. */
    async invoke(event: unknown): Promise<Invocation> {
      const environment = await acquire();
      await environment.started;
      const outcome = await environment.invoke(event);
      // Lambda writes this to the function's log.
      if (!outcome.ok) settings.onLine(`Invoke Error ${outcome.errorType}: ${outcome.errorMessage}`);
      release(environment);
      return outcome;
    },
    /** Ends every environment; invocations that still run fail. */
    async stop() {
      stopped = true;
      await Promise.all([...environments].map((environment) => environment.stop()));
    },
  };
}
