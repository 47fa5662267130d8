import { prepareAction, runAction } from '@payhooks/cdk-local/dynalite-actions';
import { keyText } from '@payhooks/cdk-local/dynalite-items';
import { createTransactions } from '@payhooks/cdk-local/transactions';
import type { Operations, Parameters } from '../services.ts';
import { createStore, type Item, type Store, type StoreParts } from './store.ts';
import { expiryAttribute, type TableName, tableNamed, tables } from './tables.ts';

export interface DynamoDbParts extends StoreParts {
  readonly onExpired: (table: TableName, row: Item) => void;
}

interface BatchGet {
  /** By table; with the keys, what a GetItem has as well. */
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
}

/** DynamoDB: dynalite's operations over rows in memory, and the transactions of local mode. */
export function createDynamoDb({ onExpired, ...parts }: DynamoDbParts) {
  const store = createStore(parts);
  const { clock, random } = parts;

  /** An eventually consistent one for a table that does not exist, which refuses it. */
  const storeOf = (tableName: string): Store => store.consistent.get(tableName) ?? store.eventual;

  async function run(operation: string, parameters: Parameters): Promise<Parameters> {
    const isWrite = !['getItem', 'query', 'scan'].includes(operation);
    const isConsistent = isWrite || parameters['ConsistentRead'] === true;
    const view = isConsistent ? storeOf(String(parameters['TableName'])) : store.eventual;
    return { ...(await runAction(view, operation, prepareAction(view, operation, parameters))) };
  }

  /** In no order. */
  async function batchGet(given: Parameters): Promise<object> {
    prepareAction(store.eventual, 'batchGetItem', given);
    const Responses: Record<string, unknown[]> = {};
    for (const [TableName, { Keys, ...options }] of Object.entries(
      (given as unknown as BatchGet).RequestItems,
    )) {
      const found = await Promise.all(Keys.map((Key) => run('getItem', { ...options, TableName, Key })));
      Responses[TableName] = random.shuffle(found.flatMap(({ Item }) => Item ?? []));
    }
    return { Responses, UnprocessedKeys: {} };
  }

  const transactions = createTransactions(
    {
      keyText: async (tableName, item) => keyText(tableNamed(tableName), item),
      prepare: (operation, given) => prepareAction(storeOf(given.TableName), operation, given),
      async stage(operation, given) {
        const staged = store.staged(storeOf((given as { readonly TableName: string }).TableName));
        await runAction(staged.store, operation, given);
        return staged.writes;
      },
      // Everything of one moment is done before anything else is.
      lock: async () => () => {},
      async commit(staged) {
        for (const write of staged.flat()) write();
      },
    },
    clock.now,
  );

  const operations: Operations = {
    GetItem: (given) => run('getItem', given),
    PutItem: (given) => run('putItem', given),
    UpdateItem: (given) => run('updateItem', given),
    DeleteItem: (given) => run('deleteItem', given),
    Query: (given) => run('query', given),
    Scan: (given) => run('scan', given),
    BatchGetItem: batchGet,
    ...transactions,
  };

  return {
    operations,
    rows: store.rows,
    /** Deletes the rows whose time to live has passed. DynamoDB takes its time, up to days. */
    async expire(): Promise<void> {
      for (const TableName of ['events', 'orders'] as const) {
        for (const row of store.rows(TableName)) {
          const expiresAt = Number(row[expiryAttribute]?.['N'] ?? Number.POSITIVE_INFINITY) * 1_000;
          if (expiresAt > clock.now() || random.chance(0.2)) continue;
          const names = tables[TableName].KeySchema.map(({ AttributeName }) => AttributeName);
          const Key = Object.fromEntries(names.map((name) => [name, row[name] ?? {}]));
          await run('deleteItem', { TableName, Key });
          onExpired(TableName, row);
        }
      }
    },
  };
}
