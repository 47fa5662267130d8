import * as v from 'valibot';
import { localProbeMilliseconds } from '../limits.ts';
import type { Stack } from '../stack/stack.ts';
import type { Retry, RetryQuery } from './retry.ts';

/** The failed attempts that the consumer of a stack logged, the latest one of each message. */
export async function readRetries(stack: Stack, query: RetryQuery): Promise<readonly Retry[]> {
  if (stack.localUrl !== undefined) return readLocalRetries(stack.localUrl, query);
  const { queryRetries } = await import('../aws/retry-log.ts');
  return queryRetries(stack, query);
}

const localSchema = v.pipe(
  v.array(
    v.object({
      message_id: v.string(),
      reason: v.string(),
      error_name: v.nullable(v.string()),
      at: v.string(),
    }),
  ),
);

async function readLocalRetries(
  localUrl: string,
  { since, messageIds }: RetryQuery,
): Promise<readonly Retry[]> {
  const signal = AbortSignal.timeout(localProbeMilliseconds);
  const response = await fetch(new URL('/retries', localUrl), { signal, redirect: 'manual' });
  // An older local mode does not have it.
  if (!response.ok) return [];
  return v
    .parse(localSchema, await response.json())
    .map(({ message_id, reason, error_name, at }) => ({
      messageId: message_id,
      reason,
      errorName: error_name ?? undefined,
      at: Date.parse(at),
    }))
    .filter(({ at, messageId }) => at >= since && (messageIds?.includes(messageId) ?? true));
}
