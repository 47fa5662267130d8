import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';

type SdkError = Parameters<typeof isThrottlingError>[0];

/** Shows the error of every attempt of the client, also of one that the SDK repeats with success. */
function onFailedAttempt(client: DynamoDBClient, see: (error: unknown) => void): DynamoDBClient {
  const watched = <Given, Done>(attempt: (given: Given) => Promise<Done>) =>
    async function watchAttempt(given: Given): Promise<Done> {
      try {
        return await attempt(given);
      } catch (error) {
        see(error);
        throw error;
      }
    };
  // What comes after the retries runs once for each attempt.
  client.middlewareStack.addRelativeTo(watched, { relation: 'after', toMiddleware: 'retryMiddleware' });
  return client;
}

/**
 * Calls `onThrottled` for every attempt that DynamoDB throttled. An index that cannot take its writes
 * throttles its table, so this sees it too.
 */
export const watchThrottles = (client: DynamoDBClient, onThrottled: () => void): DynamoDBClient =>
  onFailedAttempt(client, (error) => {
    if (isThrottlingError(error as SdkError)) onThrottled();
  });

/**
 * The SDK does not repeat a single write that met a transaction of a repair on the same item, although the
 * next attempt succeeds: with the mark that this sets on the error, it does.
 */
export const repeatConflicts = (client: DynamoDBClient): DynamoDBClient =>
  onFailedAttempt(client, (error) => {
    if (isConflict(error)) Object.assign(error, { $retryable: {} });
  });

/** Another transaction is writing the same item. */
export const isConflict = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'TransactionConflictException';
