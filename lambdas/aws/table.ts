import { setTimeout } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { batchGetKeysMax, batchGetPauseMilliseconds, batchGetRoundsMax } from '../contract/limits.ts';
import type { Segment } from '../ports/scans.ts';
import { PermanentStoreError } from '../ports/stores.ts';
import { type Condition, conditionOf, type Edit, parametersOf, updateOf } from './expressions.ts';
import { type Item, toItem, type Values } from './items.ts';

/** One table; the functions below are its calls. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
}

/** Reads consistently. */
export async function getItem({ client, name }: Table, Key: Item): Promise<Item | undefined> {
  return (await client.send(new GetItemCommand({ TableName: name, Key, ConsistentRead: true }))).Item;
}

interface ItemKeys {
  readonly keys: readonly Item[];
  /** Attribute names; all attributes when omitted. */
  readonly projection?: readonly string[];
  readonly consistent?: boolean;
}

/**
 * Reads any number of items by key, in no particular order; missing items are left out. DynamoDB leaves keys
 * unprocessed when it throttles, and above 16 MB: those of all requests are read in the next round, after a
 * pause.
 */
export async function getItems(
  table: Table,
  { keys, projection, consistent = true }: ItemKeys,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): Promise<Item[]> {
  const options = {
    ConsistentRead: consistent,
    ...(projection && parametersOf({ ProjectionExpression: listOf(projection) })),
  };
  const items: Item[] = [];
  let open = keys;
  for (let round = 1; ; round += 1) {
    const batches = await Promise.all(
      chunksOf(open).map((Keys) => getBatch(table, { Keys: [...Keys], ...options })),
    );
    items.push(...batches.flatMap((batch) => batch.items));
    open = batches.flatMap(({ unprocessed }) => unprocessed);
    if (open.length === 0) return items;
    if (round === batchGetRoundsMax) {
      throw new Error(`DynamoDB left ${open.length} of ${keys.length} keys unread after ${round} rounds.`);
    }
    // Random, so that requests that were throttled together do not come back together.
    await pause(Math.random() * batchGetPauseMilliseconds * 2 ** (round - 1));
  }
}

async function getBatch({ client, name }: Table, keys: { readonly Keys: Item[] }) {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetItemCommand({ RequestItems: { [name]: keys } }),
  );
  return { items: Responses?.[name] ?? [], unprocessed: UnprocessedKeys?.[name]?.Keys ?? [] };
}

function chunksOf(keys: readonly Item[]): readonly (readonly Item[])[] {
  const count = Math.ceil(keys.length / batchGetKeysMax);
  return Array.from({ length: count }, (_, n) => keys.slice(n * batchGetKeysMax, (n + 1) * batchGetKeysMax));
}

export interface Query extends Partial<QueryCommandInput> {
  readonly where: Condition;
  /** It has its values from `where`. */
  readonly filter?: string | undefined;
}

/** One page of a query. */
export async function queryPage({ client, name }: Table, { where, filter, ...options }: Query) {
  const expressions = { KeyConditionExpression: where.text, FilterExpression: filter };
  const request = { TableName: name, ...parametersOf(expressions, where.values), ...options };
  const { Items = [], Count = 0, LastEvaluatedKey } = await client.send(new QueryCommand(request));
  return { items: Items, count: Count, last: LastEvaluatedKey };
}

/** `furtherLimit` is the `Limit` of every page after the first. */
type Bounds = { readonly pagesMax?: number; readonly furtherLimit?: number };

/** The pages of a query, all of them unless bounded. */
export async function* queryPages(table: Table, query: Query, { pagesMax, furtherLimit }: Bounds = {}) {
  let next = query;
  for (let pages = 0; pages !== pagesMax; pages += 1) {
    const page = await queryPage(table, next);
    yield page;
    if (page.last === undefined) return;
    next = { ...query, Limit: furtherLimit ?? query.Limit, ExclusiveStartKey: page.last };
  }
}

/** The first `Limit` items of a query, or all items of its pages. */
export async function queryItems(table: Table, query: Query, bounds?: Bounds): Promise<Item[]> {
  const { Limit: limit = Number.POSITIVE_INFINITY } = query;
  const items: Item[] = [];
  for await (const page of queryPages(table, query, bounds)) {
    items.push(...page.items);
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}

interface Scan extends Partial<ScanCommandInput> {
  readonly filter: Condition;
  readonly projection?: readonly string[];
  readonly segment?: Segment | undefined;
}

/** One page of a scan, which reads `Limit` rows. */
export async function scanPage({ client, name }: Table, { filter, projection, segment, ...options }: Scan) {
  const expressions = {
    FilterExpression: filter.text,
    ProjectionExpression: projection && listOf(projection),
  };
  const part = segment && { Segment: segment.index, TotalSegments: segment.of };
  const request = { TableName: name, ...parametersOf(expressions, filter.values), ...part, ...options };
  const { Items = [], LastEvaluatedKey } = await client.send(new ScanCommand(request));
  return { items: Items, last: LastEvaluatedKey };
}

const listOf = (names: readonly string[]): string => names.map((name) => `#${name}`).join(', ');

interface Written {
  /** Whether the condition held. */
  readonly isDone: boolean;
  /** After the write, if that is to be returned. */
  readonly item: Item | undefined;
}

/** Throws PermanentStoreError, like the function below. */
export function putItem({ client, name }: Table, values: Values, condition: Condition): Promise<Written> {
  const request = { TableName: name, Item: toItem(values), ...conditionOf(condition) };
  return written(client.send(new PutItemCommand(request)));
}

interface Update {
  readonly key: Item;
  readonly edit: Edit;
  readonly condition?: Condition;
  /** By default nothing: the rows of orders are large. */
  readonly returns?: 'ALL_NEW';
}

export function updateItem(table: Table, { key, edit, condition, returns }: Update): Promise<Written> {
  const request = { TableName: table.name, Key: key, ReturnValues: returns, ...updateOf(edit, condition) };
  return written(table.client.send(new UpdateItemCommand(request)));
}

async function written(write: Promise<{ readonly Attributes?: Item | undefined }>): Promise<Written> {
  try {
    return { isDone: true, item: (await write).Attributes };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException')
      throw asStoreError(error);
    return { isDone: false, item: undefined };
  }
}

/** "Item size has exceeded …" of a put, "Item size to update has exceeded …" of an update. */
export const itemTooLarge = /Item size (to update )?has exceeded the maximum allowed size/;

/**
 * Only an item above 400 KB is permanent. Any other ValidationException means that our request is wrong,
 * which the next release can fix: the record must stay in the queue until then.
 */
function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return error;
  if (!itemTooLarge.test(error.message)) return error;
  return new PermanentStoreError(`DynamoDB refused the write: ${error.message}`, { cause: error });
}
