/** What AWS documents of `TransactWriteItems`, for every emulator of it. */
import { createHash } from 'node:crypto';
import { AwsError } from './aws-error.ts';
import { type Item, itemBytes } from './dynalite-items.ts';

/** dynalite's operations; a check is a deletion that is not carried out. */
const operations = {
  Put: 'putItem',
  Update: 'updateItem',
  Delete: 'deleteItem',
  ConditionCheck: 'deleteItem',
} as const;
type Kind = keyof typeof operations;

interface Parameters {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ExpressionAttributeValues?: Item;
}

export interface TransactionRequest {
  readonly TransactItems?: readonly Readonly<Partial<Record<Kind, Parameters>>>[];
  readonly ClientRequestToken?: string;
}

export interface TransactionItem {
  readonly operation: (typeof operations)[Kind];
  readonly isCheck: boolean;
  readonly parameters: Parameters;
}

/** Why an item made a transaction fail, or `None`. */
export interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
}

const itemsMax = 100;
const payloadBytesMax = 4 * 1024 * 1024;
const tokenMilliseconds = 10 * 60 * 1_000;

function refuse(message: string): never {
  throw new AwsError('ValidationException', message);
}

/** The items of a request that is valid so far. */
export function transactionItems(request: TransactionRequest): TransactionItem[] {
  const { TransactItems: given = [] } = request;
  if (given.length === 0 || given.length > itemsMax)
    refuse(`Value at 'transactItems' failed to satisfy constraint: 1 to ${itemsMax} items`);
  const items = given.flatMap((entry) =>
    Object.entries(entry).map(([kind, parameters]) => {
      return { operation: operations[kind as Kind], isCheck: kind === 'ConditionCheck', parameters };
    }),
  );
  // AWS counts what the request holds, not the items that it leads to.
  const bytes = items.reduce((sum, { parameters: { Item, Key, ExpressionAttributeValues } }) => {
    return sum + itemBytes({ ...Item }) + itemBytes({ ...Key }) + itemBytes({ ...ExpressionAttributeValues });
  }, 0);
  if (bytes > payloadBytesMax) refuse('Transaction payload size cannot exceed 4 MB');
  return items;
}

/** `keys` are texts, `undefined` for an item without a valid key. */
export function checkDistinct(keys: readonly (string | undefined)[]): void {
  const known = keys.filter((key) => key !== undefined);
  if (new Set(known).size < known.length)
    refuse('Transaction request cannot include multiple operations on one item');
}

/** Whether the size of a put is why it is refused: the reason of its item, not of the whole request. */
export const isTooLarge = (error: unknown): error is AwsError =>
  error instanceof AwsError && error.message === 'Item size has exceeded the maximum allowed size';

const reasonCodes: Readonly<Record<string, string>> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
};

/** Throws when an item failed. `errors` are in the order of the items. */
export function checkErrors(errors: readonly unknown[]): void {
  const invalid = errors.findIndex(
    (error) => error instanceof AwsError && error.code === 'ValidationException',
  );
  const reasons = errors.map((error, index): CancellationReason => {
    // AWS reports a validation error alone.
    if (error === undefined || (invalid !== -1 && index !== invalid)) return { Code: 'None' };
    const code = error instanceof AwsError ? reasonCodes[error.code] : undefined;
    if (code === undefined) throw error;
    const { message, details } = error as AwsError;
    return { Code: code, Message: message, ...details };
  });
  if (reasons.some(({ Code }) => Code !== 'None')) throw cancelled(reasons);
}

export function cancelled(reasons: readonly CancellationReason[]): AwsError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const sentence = 'Transaction cancelled, please refer cancellation reasons for specific reasons';
  const details = { CancellationReasons: reasons };
  return new AwsError('TransactionCanceledException', `${sentence} [${codes}]`, { details });
}

/** The tokens of transactions that were carried out; each is valid for ten minutes. */
export function createTransactionTokens(now: () => number) {
  /** The oldest first. */
  const known = new Map<string, { readonly digest: string; readonly until: number }>();
  const digestOf = ({ TransactItems }: TransactionRequest): string =>
    createHash('sha256').update(JSON.stringify(TransactItems)).digest('base64');
  return {
    /** Whether this request was carried out before. Throws when another one was, under its token. */
    isDone(request: TransactionRequest): boolean {
      for (const [token, { until }] of known) {
        if (until > now()) break;
        known.delete(token);
      }
      const earlier = known.get(request.ClientRequestToken ?? '');
      if (earlier === undefined) return false;
      if (earlier.digest === digestOf(request)) return true;
      const message = 'The request has a token that was already used with other parameters.';
      throw new AwsError('IdempotentParameterMismatchException', message);
    },
    keep(request: TransactionRequest): void {
      const { ClientRequestToken: token } = request;
      if (token !== undefined)
        known.set(token, { digest: digestOf(request), until: now() + tokenMilliseconds });
    },
  };
}
