/**
 * What the emulators of DynamoDB take from dynalite 4.0.0 without its server; for all of them,
 * `ReturnValuesOnConditionCheckFailure` works.
 */
import { createRequire } from 'node:module';
import { AwsError } from './aws-error.ts';

/** DynamoDB's JSON: `{ "S": "text" }`. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;

/** A table as DynamoDB describes it; dynalite reads more of it. */
export interface KeyedTable {
  readonly KeySchema: readonly { readonly AttributeName: string }[];
}

interface ErrorBody {
  readonly __type: string;
  readonly message?: string;
  readonly [detail: string]: unknown;
}

interface Conditional {
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

interface Items {
  itemSize(item: Item): number;
  validateKey(key: object, table: KeyedTable): unknown;
  createKey(key: object, table: KeyedTable): string;
  checkConditional(parameters: Conditional, existing: Item | undefined): { body: object } | null | undefined;
}

const require = createRequire(import.meta.url);
const items = require('dynalite/db') as Items;

for (const operation of ['putItem', 'updateItem', 'deleteItem']) {
  const { types } = require(`dynalite/validations/${operation}`) as { types: Record<string, object> };
  types['ReturnValuesOnConditionCheckFailure'] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
}
const { checkConditional } = items;
items.checkConditional = (parameters, existing) => {
  const failure = checkConditional(parameters, existing);
  const isReturned = parameters.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  if (failure && existing && isReturned) failure.body = { ...failure.body, Item: existing };
  return failure;
};

/** The bytes of an item by DynamoDB's rules. */
export const itemBytes = (item: Item): number => items.itemSize(item);

/** dynalite's text for the key in an item or a key; `undefined` when the table has another one. */
export function keyText(table: KeyedTable, item: Item): string | undefined {
  const names = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const key = Object.fromEntries(names.flatMap((name) => (item[name] ? [[name, item[name]]] : [])));
  return items.validateKey(key, table) ? undefined : items.createKey(key, table);
}

/** The error of an operation of dynalite. */
export function asAwsError(error: unknown): unknown {
  const { body } = error as { body?: ErrorBody };
  if (body === undefined) return error;
  const { __type, message = '', ...details } = body;
  return new AwsError(__type.split('#').at(-1) ?? '', message, { details });
}
