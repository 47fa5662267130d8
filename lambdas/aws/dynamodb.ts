import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { heartbeatRowSeconds } from '../contract/heartbeat.ts';
import { metricNames } from '../contract/metrics.ts';
import type { AnyMode } from '../domain/signature.ts';
import { PermanentStoreError } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { boundCalls, clientOptions } from './client-options.ts';
import { watchThrottles } from './throttle-watch.ts';

export type Item = Record<string, AttributeValue>;

/** With `telemetry` it counts the attempts that DynamoDB throttled. */
export function createDynamoDb(telemetry?: Pick<Telemetry, 'count'>): DynamoDBClient {
  const client = boundCalls(new DynamoDBClient(clientOptions));
  if (telemetry === undefined) return client;
  return watchThrottles(client, () => telemetry.count(metricNames.tablesThrottled));
}

/** The existing item that made a conditional write fail; `undefined` for any other error. */
export function conditionFailure(error: unknown): { readonly item: Item | undefined } | undefined {
  if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') return undefined;
  return { item: 'Item' in error ? (error.Item as Item | undefined) : undefined };
}

/** "Item size has exceeded …" of a put, "Item size to update has exceeded …" of an update. */
const itemTooLarge = /Item size (to update )?has exceeded the maximum allowed size/;

/**
 * Only an item above 400 KB is permanent. Any other ValidationException means that our request is wrong,
 * which the next release can fix: the record must stay in the queue until then.
 */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return error;
  if (!itemTooLarge.test(error.message)) return error;
  return new PermanentStoreError(`DynamoDB refused the write: ${error.message}`, { cause: error });
}

/** When a row of this mode expires; `undefined` for those of payments, which stay. */
export function rowExpiry(mode: AnyMode, writtenAt: Date): AttributeValue | undefined {
  if (mode !== 'heartbeat') return undefined;
  return { N: String(Math.floor(writtenAt.getTime() / 1_000) + heartbeatRowSeconds) };
}

export const text = (value: string): AttributeValue => ({ S: value });

/** Only the attributes that have a value. */
export function textItem(values: Readonly<Record<string, string | undefined>>): Item {
  const present = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, text(value)]));
}

/** The text of an attribute that every item has. Throws when it is missing. */
export function requiredText(item: Item, attribute: string): string {
  const value = item[attribute]?.S;
  if (value === undefined) throw new TypeError(`An item of the table has no text attribute "${attribute}".`);
  return value;
}
