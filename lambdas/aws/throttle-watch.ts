import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isThrottlingError } from '@smithy/core/retry';

type SdkError = Parameters<typeof isThrottlingError>[0];

/**
 * Calls `onThrottled` for every attempt of the client that DynamoDB throttled, also for one that the SDK
 * repeats with success. An index that cannot take its writes throttles its table, so this sees it too.
 */
export function watchThrottles(client: DynamoDBClient, onThrottled: () => void): DynamoDBClient {
  const watched = <Given, Done>(attempt: (given: Given) => Promise<Done>) =>
    async function watchAttempt(given: Given): Promise<Done> {
      try {
        return await attempt(given);
      } catch (error) {
        if (isThrottlingError(error as SdkError)) onThrottled();
        throw error;
      }
    };
  // What comes after the retries runs once for each attempt.
  client.middlewareStack.addRelativeTo(watched, { relation: 'after', toMiddleware: 'retryMiddleware' });
  return client;
}
