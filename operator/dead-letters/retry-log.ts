import * as v from 'valibot';
import { readLocalView } from '../stack/local-mode.ts';
import type { Stack } from '../stack/stack.ts';
import type { Retry, RetryQuery } from './retry.ts';

/** The failed attempts that the consumer of a stack logged, the latest one of each message. */
export async function readRetries(stack: Stack, query: RetryQuery): Promise<readonly Retry[]> {
  if (stack.localUrl !== undefined) return readLocalRetries(stack.localUrl, query);
  const { queryRetries } = await import('../aws/retry-log.ts');
  return queryRetries(stack, query);
}

const localRetries = v.array(
  v.object({
    message_id: v.string(),
    reason: v.string(),
    error_name: v.nullable(v.string()),
    at: v.string(),
  }),
);

async function readLocalRetries(
  localUrl: string,
  { since, messageIds }: RetryQuery,
): Promise<readonly Retry[]> {
  return (await readLocalView(localUrl, '/retries', localRetries))
    .map(({ message_id, reason, error_name, at }) => ({
      messageId: message_id,
      reason,
      errorName: error_name ?? undefined,
      at: Date.parse(at),
    }))
    .filter(({ at, messageId }) => at >= since && (messageIds?.includes(messageId) ?? true));
}
