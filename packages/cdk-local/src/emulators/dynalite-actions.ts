/** dynalite's operations without its server, over its own store or any other that calls back like it. */
import { createRequire } from 'node:module';
import { asAwsError } from './dynalite-items.ts';

type Action = (store: object, parameters: object, done: (error: unknown, data: object) => void) => void;

const require = createRequire(import.meta.url);
const validations = require('dynalite/validations') as {
  checkTypes(parameters: object, types: object): object;
  checkValidations(parameters: object, types: object, custom: unknown, store: object): void;
};

/** Checks the parameters of an operation as they come in a request, and parses their expressions. */
export function prepareAction(store: object, operation: string, given: object): object {
  const { types, custom } = require(`dynalite/validations/${operation}`) as Record<string, object>;
  try {
    const parameters = validations.checkTypes({ ...given }, types ?? {});
    validations.checkValidations(parameters, types ?? {}, custom, store);
    return parameters;
  } catch (error) {
    throw asAwsError(error);
  }
}

/** Runs an operation such as `createTable`. Rejects with an `AwsError`. */
export function runAction(store: object, operation: string, parameters: object): Promise<object> {
  const action = require(`dynalite/actions/${operation}`) as Action;
  return new Promise((resolve, reject) => {
    action(store, parameters, (error, data) => {
      if (error === null || error === undefined) resolve(data);
      else reject(asAwsError(error));
    });
  });
}
