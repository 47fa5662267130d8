import { allSettled } from '../all-settled.ts';
import type { Endpoints } from '../emulators/emulators.ts';
import type { FunctionModel } from '../template/model.ts';
import { functionEnvironment } from './function-environment.ts';
import type { Invocation } from './invocation.ts';
import { createLambdaFunction, type LambdaFunction } from './lambda-function.ts';

/** A function of the template cannot start, or a mapping leads nowhere. */
export class StackError extends Error {
  override readonly name = 'StackError';
}

export interface Functions {
  /** Loads every handler, so that the first request does not wait for it. Rejects with a `StackError`. */
  warm(): Promise<void>;
  invoke(functionName: string, event: unknown): Promise<Invocation>;
  stop(): Promise<void>;
}

export function createFunctions(
  models: readonly FunctionModel[],
  endpoints: Endpoints,
  onLine: (source: FunctionModel, line: string) => void,
): Functions {
  const functions = new Map(
    models.map((model) => {
      const environment = functionEnvironment(model, endpoints);
      return [
        model.name,
        createLambdaFunction({ model, environment, onLine: (line) => onLine(model, line) }),
      ];
    }),
  );
  const each = (work: (one: LambdaFunction, name: string) => Promise<void>): Promise<unknown> =>
    allSettled([...functions].map(([name, one]) => work(one, name)));
  return {
    async warm() {
      await each(async (one, name) => {
        const outcome = await one.warm();
        if (outcome.ok) return;
        throw new StackError(`${name} does not start: ${outcome.errorType}: ${outcome.errorMessage}`);
      });
    },
    async invoke(functionName, event) {
      const found = functions.get(functionName);
      if (found === undefined) throw new StackError(`There is no function ${functionName}.`);
      return found.invoke(event);
    },
    async stop() {
      await each((one) => one.stop());
    },
  };
}
