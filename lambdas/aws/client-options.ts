import {
  connectTimeoutMilliseconds,
  requestTimeoutMilliseconds,
  sdkAttemptsMax,
} from '../contract/limits.ts';

/**
 * Options of every SDK client: bounded time per attempt, bounded attempts. By default the SDK's HTTP handler
 * waits forever, and without `throwOnRequestTimeout` it only prints a warning when the time is up.
 */
export const clientOptions = {
  maxAttempts: sdkAttemptsMax,
  requestHandler: {
    connectionTimeout: connectTimeoutMilliseconds,
    requestTimeout: requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;
