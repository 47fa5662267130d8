import type { Endpoints, FunctionModel, Invocation } from '@payhooks/cdk-local';
import { createLambdaFunction, functionEnvironment, type LambdaFunction } from '@payhooks/cdk-local';
import { variables } from '../../lambdas/contract/environment.ts';
import { allSettled } from './settled.ts';

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
  onLine: (functionName: string, line: string) => void,
): Functions {
  const create = (model: FunctionModel): LambdaFunction => {
    // The name of the stage says more to a reader than a logical id.
    const stage = model.environment[variables.serviceName] ?? model.name;
    const environment = functionEnvironment(model, endpoints);
    return createLambdaFunction({ model, environment, onLine: (line) => onLine(stage, line) });
  };
  const functions = new Map(models.map((model) => [model.name, create(model)]));
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
