import { optionalVariable, variables } from '../contract/environment.ts';
import * as limits from '../contract/limits.ts';

const patience = optionalVariable(variables.isLocal) === undefined ? 1 : limits.localPatience;

/** Bounds one call with all its attempts. */
export const callMilliseconds = patience * limits.callMillisecondsMax;

/**
 * Options of every SDK client: bounded time per attempt, bounded attempts. By default the SDK's HTTP handler
 * waits forever, and without `throwOnRequestTimeout` it only prints a warning when the time is up.
 */
export const clientOptions = {
  maxAttempts: limits.sdkAttemptsMax,
  requestHandler: {
    requestTimeout: patience * limits.requestTimeoutMilliseconds,
    throwOnRequestTimeout: true,
  },
} as const;

interface Client {
  send(command: never, options: { readonly abortSignal: AbortSignal }): Promise<unknown>;
}

/**
 * Bounds every call of a client as a whole. The options above do not bound the pauses between attempts, which
 * a throttling service may ask to prolong, nor the body of a response to the whole SDK.
 */
export function boundCalls<C extends Client>(client: C, milliseconds = callMilliseconds): C {
  const send = client.send.bind(client);
  client.send = async function sendInTime(command) {
    const abortSignal = AbortSignal.timeout(milliseconds);
    try {
      return await send(command, { abortSignal });
    } catch (error) {
      throw abortSignal.aborted ? abortSignal.reason : error;
    }
  };
  return client;
}
