/**
 * The parts of dynalite 4.0.0 that need no server: its operations and validations, which evaluate every
 * expression. They call back at once over the store of a simulation, because that store does.
 */
import { createRequire } from 'node:module';
import { cacheExpressions, type Parser } from '@payhooks/cdk-local/expression-cache';
import { AwsError } from '../aws-error.ts';
import type { TableDescription } from './tables.ts';

/** An item in DynamoDB's JSON. */
export type Item = Record<string, Record<string, unknown>>;

type Done = (error: Error | null, value?: Item) => void;

/** What dynalite's operations call on the items of a table. */
export interface ItemStore {
  get(key: string, done: Done): void;
  put(key: string, item: Item, done: Done): void;
  del(key: string, done: Done): void;
  lock(key: string, work: (release: <T>(done: T) => T) => void): void;
  createValueStream(range: KeyRange): NodeJS.EventEmitter;
}

export interface KeyRange {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly reverse?: boolean;
}

export interface Store {
  readonly options: { readonly maxItemSize: number };
  getTable(name: string, done: (error: Error | null, table?: TableDescription) => void): void;
  getItemDb(tableName: string): ItemStore;
  getIndexDb(
    kind: string,
    tableName: string,
    indexName: string,
  ): Pick<ItemStore, 'put' | 'del' | 'createValueStream'>;
}

export type Parameters = Record<string, unknown>;
type Action = (store: Store, parameters: Parameters, done: (error: unknown, data?: object) => void) => void;
type Validate = (parameters: Parameters, store: Store) => string | undefined;

const require = createRequire(import.meta.url);
// A sixth of what dynalite does is to parse the same few expressions again.
for (const name of ['conditionParser', 'updateParser', 'projectionParser'])
  cacheExpressions(require(`dynalite/db/${name}`) as Parser);
const { itemSize } = require('dynalite/db') as { itemSize(item: Item): number };

/** The bytes of an item by DynamoDB's rules. */
export const itemBytes: (item: Item) => number = itemSize;

const operations = ['getItem', 'putItem', 'updateItem', 'deleteItem', 'query', 'scan'] as const;
export type Operation = (typeof operations)[number];

const actions = Object.fromEntries(
  operations.map((name) => [name, require(`dynalite/actions/${name}`) as Action]),
) as Record<Operation, Action>;
const validationOf = (name: string): Validate =>
  (require(`dynalite/validations/${name}`) as { custom: Validate }).custom;
const validations = Object.fromEntries(operations.map((name) => [name, validationOf(name)])) as Record<
  Operation,
  Validate
>;

/** Why DynamoDB refuses a BatchGetItem, such as for a key that is there twice. */
export const batchGetProblem: Validate = validationOf('batchGetItem');

/**
 * Runs one operation; `pump` lets the streams of the store flow, which dynalite reads a query from. Throws an
 * `AwsError`.
 */
export function runOperation(
  operation: Operation,
  parameters: Parameters,
  { store, pump }: { readonly store: Store; readonly pump: () => void },
): Record<string, unknown> {
  const problem = validations[operation](parameters, store);
  if (problem) throw new AwsError('ValidationException', problem);
  let outcome: { error: unknown; data: object | undefined } | undefined;
  actions[operation](store, parameters, (error, data) => {
    outcome = { error, data };
  });
  pump();
  if (outcome === undefined) throw new Error(`dynalite's ${operation} has not called back at once.`);
  if (!outcome.error) return { ...outcome.data };
  const { body } = outcome.error as { body?: { __type: string; message?: string } };
  if (body === undefined) throw outcome.error;
  throw new AwsError(body.__type.split('#').at(-1) ?? '', body.message ?? '');
}
