import { keyText } from '@payhooks/cdk-local/dynalite-items';
import {
  checkDistinct,
  checkErrors,
  createTransactionTokens,
  isTooLarge,
  type TransactionItem,
  type TransactionRequest,
  transactionItems,
} from '@payhooks/cdk-local/transaction-rules';
import type { Clock } from '../../clock.ts';
import { type Parameters, prepareOperation, runOperation, type Store } from './dynalite.ts';
import { tableNamed } from './tables.ts';

export interface TransactionParts {
  readonly clock: Clock;
  /** The store of a table for consistent reads and writes. */
  readonly storeOf: (tableName: string) => Store;
  readonly run: (operation: TransactionItem['operation'], parameters: Parameters) => unknown;
}

/** `TransactWriteItems`: every item is tried without an effect, and then all are carried out. */
export function createTransactions({ clock, storeOf, run }: TransactionParts) {
  const tokens = createTransactionTokens(() => clock.now());
  const parametersOf = ({ parameters }: TransactionItem) => structuredClone({ ...parameters }) as Parameters;
  const viewOf = ({ parameters }: TransactionItem) => ({ store: storeOf(parameters.TableName), pump() {} });

  /** The error of the item as a value. */
  function prepare(item: TransactionItem): Parameters | Error {
    const parameters = parametersOf(item);
    try {
      prepareOperation(item.operation, parameters, viewOf(item));
      return parameters;
    } catch (error) {
      if (isTooLarge(error)) return error;
      throw error;
    }
  }

  function errorOf(item: TransactionItem, prepared: Parameters | Error | undefined): unknown {
    if (prepared === undefined || prepared instanceof Error) return prepared;
    const { store, pump } = viewOf(item);
    try {
      runOperation(item.operation, prepared, { store: withoutWrites(store), pump });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  return function transactWriteItems(request: TransactionRequest): object {
    const items = transactionItems(request);
    const prepared = items.map(prepare);
    checkDistinct(
      items.map(({ parameters: { TableName, Key, Item = {} } }) => {
        const key = keyText(tableNamed(TableName), Key ?? Item);
        return key && `${TableName} ${key}`;
      }),
    );
    if (tokens.isDone(request)) return {};
    checkErrors(items.map((item, index) => errorOf(item, prepared[index])));
    for (const item of items) if (!item.isCheck) run(item.operation, parametersOf(item));
    tokens.keep(request);
    return {};
  };
}

function withoutWrites(store: Store): Store {
  const nothing = {
    put: (_key: string, _item: object, done: (error: null) => void) => done(null),
    del: (_key: string, done: (error: null) => void) => done(null),
  };
  return {
    ...store,
    getItemDb: (name) => ({ ...store.getItemDb(name), ...nothing }),
    getIndexDb: (...index) => ({ ...store.getIndexDb(...index), ...nothing }),
  };
}
