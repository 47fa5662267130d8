import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { isServerError, isThrottlingError, isTransientError } from '@smithy/core/retry';
import { callMillisecondsMax, sdkAttemptsMax, stampedWritePauseMilliseconds } from '../contract/limits.ts';
import { isConflict } from './attempts.ts';
import { boundCalls } from './client-options.ts';

/**
 * A client for writes with a time stamp, which makes one attempt: the SDK repeats a request byte for byte,
 * and each repetition would make its time stamp older, past the bound under which `GET /orders` misses no
 * change. It uses the connections of `client`: a connection of its own would cost a TLS handshake at cold
 * start.
 */
export function createSingleAttemptClient({ config }: DynamoDBClient): DynamoDBClient {
  const { region, credentials, endpoint, requestHandler } = config;
  const single = new DynamoDBClient({
    region,
    credentials,
    requestHandler,
    ...(endpoint && { endpoint }),
    maxAttempts: 1,
  });
  // All attempts together take as long as a call of any other client.
  return boundCalls(single, Math.floor(callMillisecondsMax / sdkAttemptsMax));
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
