import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { metricNames } from '../contract/metrics.ts';
import { PermanentStoreError } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import { repeatConflicts, watchThrottles } from './attempts.ts';
import { boundCalls, clientOptions } from './client-options.ts';
import type { Item } from './items.ts';

/** With `telemetry` it counts the attempts that DynamoDB throttled. */
export function createDynamoDb(telemetry?: Pick<Telemetry, 'count'>): DynamoDBClient {
  const client = repeatConflicts(boundCalls(new DynamoDBClient(clientOptions)));
  if (telemetry === undefined) return client;
  return watchThrottles(client, () => telemetry.count(metricNames.tablesThrottled));
}

/** The existing item that made a conditional write fail; `undefined` for any other error. */
export function conditionFailure(error: unknown): { readonly item: Item | undefined } | undefined {
  if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') return undefined;
  return { item: 'Item' in error ? (error.Item as Item | undefined) : undefined };
}

/** "Item size has exceeded …" of a put, "Item size to update has exceeded …" of an update. */
export const itemTooLarge = /Item size (to update )?has exceeded the maximum allowed size/;

/**
 * Only an item above 400 KB is permanent. Any other ValidationException means that our request is wrong,
 * which the next release can fix: the record must stay in the queue until then.
 */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'ValidationException') return error;
  if (!itemTooLarge.test(error.message)) return error;
  return new PermanentStoreError(`DynamoDB refused the write: ${error.message}`, { cause: error });
}

/** `undefined` when the condition of a write did not hold. */
export async function unlessRefused<T>(written: Promise<T>): Promise<T | undefined> {
  try {
    return await written;
  } catch (error) {
    if (conditionFailure(error) === undefined) throw asStoreError(error);
    return undefined;
  }
}
