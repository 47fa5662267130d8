import type { MiniStack } from './ministack.ts';
import { askSigned } from './signed-request.ts';

/** Runs a function once, as the root user, and gives what it answered. Rejects when it threw. */
export async function invoke(
  ministack: MiniStack,
  functionName: string,
  payload: unknown = {},
): Promise<unknown> {
  const path = `/2015-03-31/functions/${functionName}/invocations`;
  const answer = await askSigned(ministack, { service: 'lambda', method: 'POST', path, body: payload });
  if (answer.status !== 200 || answer.headers['x-amz-function-error'] !== undefined) {
    throw new Error(`${functionName} answered ${answer.status}: ${answer.body}`);
  }
  return JSON.parse(answer.body);
}
