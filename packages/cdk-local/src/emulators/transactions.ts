import type { Item } from './dynalite-items.ts';
import {
  checkDistinct,
  checkErrors,
  createTransactionTokens,
  isTooLarge,
  type TransactionItem,
  type TransactionRequest,
  transactionItems,
} from './transaction-rules.ts';

/** Where the items of a transaction are. */
export interface TransactionStore<Staged> {
  /** dynalite's text for the key in an item or a key; `undefined` when the table has another one. */
  keyText(tableName: string, item: Item): Promise<string | undefined>;
  /** Checks the parameters of an operation as they come in a request, and parses their expressions. */
  prepare(operation: string, parameters: { readonly TableName: string }): object;
  /** What a prepared operation would write; nothing else may write its item meanwhile. */
  stage(operation: string, parameters: object): Promise<Staged>;
  /** Waits until no write of these items is under way; others wait until the returned function is called. */
  lock(keys: readonly { readonly tableName: string; readonly key: string }[]): Promise<() => void>;
  /** All of it or nothing. */
  commit(staged: readonly Staged[]): Promise<void>;
}

/**
 * `TransactWriteItems`, which dynalite lacks. It holds dynalite's locks of all its items, which every other
 * write takes as well, and stores what its operations would write in one batch.
 */
export function createTransactions<Staged>(store: TransactionStore<Staged>, now: () => number = Date.now) {
  const tokens = createTransactionTokens(now);

  async function find({ parameters }: TransactionItem) {
    const { TableName, Key, Item = {} } = parameters;
    return { tableName: TableName, key: await store.keyText(TableName, Key ?? Item) };
  }

  /** The error of the item as a value. */
  function prepare({ operation, parameters }: TransactionItem): object {
    try {
      return store.prepare(operation, parameters);
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
        return store.stage(operation, parameters);
      }),
    );
    checkErrors(outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : undefined)));
    const staged = outcomes.flatMap((outcome, index) =>
      outcome.status === 'fulfilled' && !items[index]?.isCheck ? [outcome.value] : [],
    );
    await store.commit(staged);
  }

  return {
    async TransactWriteItems(request: TransactionRequest): Promise<object> {
      const items = transactionItems(request);
      const prepared = items.map(prepare);
      const keys = await Promise.all(items.map(find));
      checkDistinct(keys.map(({ tableName, key }) => key && `${tableName} ${key}`));
      const known = keys.flatMap(({ tableName, key }) => (key === undefined ? [] : [{ tableName, key }]));
      const release = await store.lock(known);
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
