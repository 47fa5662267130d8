import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { sdkAttemptsMax, stampedWritePauseMilliseconds } from '../contract/limits.ts';
import { boundCalls, callMilliseconds, clientOptions } from './client-options.ts';

export const createDynamoDb = (): DynamoDBClient =>
  repeatConflicts(boundCalls(new DynamoDBClient(clientOptions)));

/**
 * The SDK does not repeat a single write that met a transaction of a repair on the same item, although the
 * next attempt succeeds: with the mark that this sets on the error, it does.
 */
export function repeatConflicts(client: DynamoDBClient): DynamoDBClient {
  const marking = <Given, Done>(attempt: (given: Given) => Promise<Done>) =>
    async function markConflict(given: Given): Promise<Done> {
      try {
        return await attempt(given);
      } catch (error) {
        if (isConflict(error)) Object.assign(error, { $retryable: {} });
        throw error;
      }
    };
  // What comes after the retries runs once for each attempt.
  client.middlewareStack.addRelativeTo(marking, { relation: 'after', toMiddleware: 'retryMiddleware' });
  return client;
}

/** Another transaction is writing the same item. */
const isConflict = (error: unknown): error is Error =>
  error instanceof Error && error.name === 'TransactionConflictException';

/**
 * A client for writes with a time stamp, which makes one attempt: the SDK repeats a request byte for byte,
 * and each repetition would make its time stamp older, past the bound under which `GET /orders` misses no
 * change. It uses the connections of `client`: a connection of its own would cost a TLS handshake at cold
 * start.
 */
export function createSingleAttemptClient({ config }: DynamoDBClient): DynamoDBClient {
  const { region, credentials, endpoint, requestHandler } = config;
  const shared = { region, credentials, requestHandler, ...(endpoint && { endpoint }) };
  const single = new DynamoDBClient({ ...shared, maxAttempts: 1 });
  // All attempts together take as long as a call of any other client.
  return boundCalls(single, Math.floor(callMilliseconds / sdkAttemptsMax));
}

/** Repeats a write after the errors that the SDK would repeat it for; `write` sets the time stamp anew. */
export async function stampedWrite<T>(
  write: () => Promise<T>,
  pause: (milliseconds: number) => Promise<unknown> = sleep,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (attempt === sdkAttemptsMax || !mayPass(error)) throw error;
    }
    await pause(Math.random() * stampedWritePauseMilliseconds * 2 ** (attempt - 1));
  }
}

type SdkError = Parameters<typeof isServerError>[0];

/** Also while a repair is writing the same row. */
const mayPass = (error: unknown): boolean =>
  isConflict(error) ||
  [isThrottlingError, isTransientError, isServerError].some((isOfKind) => isOfKind(error as SdkError));
