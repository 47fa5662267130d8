import type { StackInfo } from '../../contract.ts';
import { ApiError, getApi } from './api.ts';

const responseMilliseconds = 5_000;
const otherServer =
  'Another server responds at this address: not your console, or one with another key. Close this tab.';

/**
 * Reads what the console shows; rejects with the reason for the reader. A server with another key is a
 * stranger, which must not make the page load its own.
 */
export function createStackReader(host: string) {
  let first: StackInfo | undefined;
  return async function readStack(signal: AbortSignal): Promise<StackInfo> {
    const either = AbortSignal.any([signal, AbortSignal.timeout(responseMilliseconds)]);
    const stack = await getApi<StackInfo>('/console/api/stack', {}, either).catch((error: unknown) => {
      throw signal.aborted ? error : new ApiError(statusOf(error), lostReason(error, host));
    });
    first ??= stack;
    if (stack.console_id !== first.console_id) throw new ApiError(0, otherServer);
    return stack;
  };
}

const statusOf = (error: unknown): number => (error instanceof ApiError ? error.status : 0);

function lostReason(error: unknown, host: string): string {
  if (!(error instanceof ApiError)) return `${host} does not respond.`;
  if (error.status === 0) return `No server is running at ${host}.`;
  if (error.status === 401) return 'The console was restarted: open the link that it printed again.';
  return error.message;
}
