import {
  connectTimeoutMilliseconds,
  requestTimeoutMilliseconds,
  sdkAttemptsMax,
} from '../contract/limits.ts';

/**
 * How every SDK client here talks: a bounded time per attempt and a bounded number of
 * attempts. Left alone, the handler waits for ever, and without
 * `throwOnRequestTimeout` it only prints a warning when the time is up.
 */
export const clientOptions = {
  maxAttempts: sdkAttemptsMax,
  requestHandler: {
    connectionTimeout: connectTimeoutMilliseconds,
    requestTimeout: requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;
