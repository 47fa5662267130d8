import type { Operation } from './aws-json.ts';
import type { Dynalite } from './dynalite.ts';
import {
  checkDistinct,
  checkErrors,
  createTransactionTokens,
  isTooLarge,
  type TransactionItem,
  type TransactionRequest,
  transactionItems,
} from './transaction-rules.ts';

/**
 * `TransactWriteItems`, which dynalite lacks. It holds dynalite's locks of all its items, which every other
 * write takes as well, and stores what its operations would write in one batch.
 */
export function createTransactions(dynalite: Dynalite): Readonly<Record<string, Operation>> {
  const tokens = createTransactionTokens(Date.now);

  async function find({ parameters }: TransactionItem) {
    const { TableName, Key, Item = {} } = parameters;
    return { tableName: TableName, key: await dynalite.keyText(TableName, Key ?? Item) };
  }

  /** The error of the item as a value. */
  function prepare({ operation, parameters }: TransactionItem): object {
    try {
      return dynalite.prepare(operation, parameters);
    } catch (error) {
      if (isTooLarge(error)) return error;
      throw error;
    }
  }

  async function write(items: readonly TransactionItem[], prepared: readonly object[]): Promise<void> {
    const outcomes = await Promise.allSettled(
      items.map(async ({ operation }, index) => {
        const parameters = prepared[index] ?? {};
        if (parameters instanceof Error) throw parameters;
        return dynalite.stage(operation, parameters);
      }),
    );
    checkErrors(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined)));
    const staged = outcomes.flatMap((outcome, index) =>
      outcome.status === 'fulfilled' && !items[index]?.isCheck ? [outcome.value] : [],
    );
    await dynalite.commit({
      writes: staged.flatMap(({ writes }) => writes),
      changes: staged.flatMap(({ changes }) => changes),
    });
  }

  return {
    async TransactWriteItems(request: TransactionRequest) {
      const items = transactionItems(request);
      const prepared = items.map(prepare);
      const keys = await Promise.all(items.map(find));
      checkDistinct(keys.map(({ tableName, key }) => key && `${tableName} ${key}`));
      const known = keys.flatMap(({ tableName, key }) => (key === undefined ? [] : [{ tableName, key }]));
      const release = await dynalite.lock(known);
      try {
        if (!tokens.isDone(request)) {
          await write(items, prepared);
          tokens.keep(request);
        }
        return {};
      } finally {
        release();
      }
    },
  };
}
