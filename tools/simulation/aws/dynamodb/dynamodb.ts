import { AwsError } from '@payhooks/cdk-local/aws-error';
import type { Operations } from '../service.ts';
import {
  batchGetProblem,
  type Item,
  type Operation,
  type Parameters,
  prepareOperation,
  runOperation,
  type Store,
} from './dynalite.ts';
import { createStore, type StoreParts } from './store.ts';
import { expiryAttribute, type TableName, tables } from './tables.ts';
import { createTransactions } from './transactions.ts';

export interface DynamoDbParts extends StoreParts {
  readonly onExpired: (table: TableName, row: Item) => void;
}

interface BatchGet {
  /** By table; with the keys, what a GetItem has as well. */
  readonly RequestItems: Readonly<Record<string, { readonly Keys: readonly Item[] }>>;
}

const batchKeysMax = 100;

/** DynamoDB: dynalite's operations over rows in memory, and what dynalite lacks. */
export function createDynamoDb({ onExpired, ...parts }: DynamoDbParts) {
  let isLoading = false;
  const store = createStore({ ...parts, onWrite: (write) => isLoading || parts.onWrite(write) });
  const { clock, random } = parts;

  /** An eventually consistent one for a table that does not exist, which refuses it. */
  const storeOf = (tableName: string): Store => store.consistent.get(tableName) ?? store.eventual;

  function run(operation: Operation, parameters: Parameters): Record<string, unknown> {
    const isWrite = !['getItem', 'query', 'scan'].includes(operation);
    const isConsistent = isWrite || parameters['ConsistentRead'] === true;
    const view = {
      store: isConsistent ? storeOf(String(parameters['TableName'])) : store.eventual,
      pump: store.pump,
    };
    prepareOperation(operation, parameters, view);
    return runOperation(operation, parameters, view);
  }

  /** `partial`: DynamoDB leaves some keys unprocessed. */
  function batchGet(given: Parameters, isPartial: boolean): object {
    const { RequestItems } = structuredClone(given) as unknown as BatchGet;
    const Responses: Record<string, unknown[]> = {};
    const UnprocessedKeys: Record<string, object> = {};
    checkBatch(given, store.eventual);
    for (const [TableName, { Keys, ...options }] of Object.entries(RequestItems)) {
      const isLeft = (index: number): boolean => isPartial && index % 2 === 1;
      const left = Keys.filter((_, index) => isLeft(index));
      if (left.length > 0) UnprocessedKeys[TableName] = { ...options, Keys: left };
      const found = Keys.filter((_, index) => !isLeft(index)).flatMap((Key) => {
        const { Item } = run('getItem', { ...structuredClone(options), TableName, Key });
        return Item === undefined ? [] : [Item];
      });
      Responses[TableName] = random.shuffle(found);
    }
    return { Responses, UnprocessedKeys };
  }

  const operations: Operations = {
    GetItem: (given) => run('getItem', given),
    PutItem: (given) => run('putItem', given),
    UpdateItem: (given) => run('updateItem', given),
    DeleteItem: (given) => run('deleteItem', given),
    Query: (given) => run('query', given),
    Scan: (given) => run('scan', given),
    BatchGetItem: (given, { isPartial }) => batchGet(given, isPartial),
    TransactWriteItems: createTransactions({ clock, storeOf, run }),
  };

  return {
    operations,
    rows: store.rows,
    /** Stores the rows that an earlier run left, without records in the stream. */
    load(table: TableName, rows: readonly Item[]): void {
      isLoading = true;
      for (const Item of rows) run('putItem', { TableName: table, Item });
      isLoading = false;
    },
    /** Deletes the rows whose time to live has passed. DynamoDB takes its time, up to days. */
    expire(): void {
      for (const table of ['events', 'orders'] as const) {
        for (const row of store.rows(table)) {
          const expiresAt = Number(row[expiryAttribute]?.['N'] ?? Number.POSITIVE_INFINITY) * 1_000;
          if (expiresAt > clock.now() || random.chance(0.2)) continue;
          run('deleteItem', { TableName: table, Key: keyOf({ TableName: table, Item: row }) });
          onExpired(table, row);
        }
      }
    },
  };
}

function checkBatch(given: Parameters, store: Store): void {
  const { RequestItems } = given as unknown as BatchGet;
  const isTooLong = Object.values(RequestItems).some(({ Keys }) => Keys.length > batchKeysMax);
  const problem = isTooLong ? `More than ${batchKeysMax} keys.` : batchGetProblem(given, store);
  if (problem) throw new AwsError('ValidationException', problem);
}

function keyOf({ TableName, Item }: Parameters): Item {
  const { KeySchema } = tables[TableName as TableName];
  const item = Item as Item;
  return Object.fromEntries(KeySchema.map(({ AttributeName: name }) => [name, item[name] ?? {}]));
}
