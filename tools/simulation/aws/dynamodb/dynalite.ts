/**
 * The parts of dynalite 4.0.0 that need no server: its operations and validations, which evaluate every
 * expression. They call back at once over the store of a simulation, because that store does.
 */
import { createRequire } from 'node:module';
import { AwsError } from '@payhooks/cdk-local/aws-error';
import { asAwsError } from '@payhooks/cdk-local/dynalite-items';
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

interface View {
  readonly store: Store;
  /** Lets the streams of the store flow, which dynalite reads a query from. */
  readonly pump: () => void;
}

/** Parses the expressions of an operation. Throws an `AwsError`. */
export function prepareOperation(operation: Operation, parameters: Parameters, { store }: View): void {
  const problem = validations[operation](parameters, store);
  if (problem) throw new AwsError('ValidationException', problem);
}

/** Runs one operation that is prepared. Throws an `AwsError`. */
export function runOperation(
  operation: Operation,
  parameters: Parameters,
  { store, pump }: View,
): Record<string, unknown> {
  let outcome: { error: unknown; data: object | undefined } | undefined;
  actions[operation](store, parameters, (error, data) => {
    outcome = { error, data };
  });
  pump();
  if (outcome === undefined) throw new Error(`dynalite's ${operation} has not called back at once.`);
  if (outcome.error) throw asAwsError(outcome.error);
  return { ...outcome.data };
}
