import type { Parameters } from './dynamodb/dynalite.ts';

export interface CallOptions {
  /** Every second entry of a batch is to be refused. */
  readonly isPartial: boolean;
}

/** The operations of a service by name. They are carried out at once, and throw an `AwsError`. */
export type Operations = Readonly<Record<string, (given: Parameters, options: CallOptions) => object>>;

/** Shows each call before it is carried out. */
export const watched = (
  operations: Operations,
  onCall: (operation: string, given: Parameters) => void,
): Operations =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      (given, options) => {
        onCall(name, given);
        return operation(given, options);
      },
    ]),
  );
