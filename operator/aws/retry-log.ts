import type { Retry, RetryQuery } from '../dead-letters/retry.ts';
import { logRowsMax, retryQueryIdsMax } from '../limits.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { type FoundLine, searchLogs } from './log-search.ts';

/** Searches the consumer's log with CloudWatch Logs Insights. */
export async function queryRetries(
  stack: Stack,
  { since, messageIds }: RetryQuery,
): Promise<readonly Retry[]> {
  const logGroupNames = [outputOf(stack, 'ConsumerLogGroup')];
  const run = async (filter: string): Promise<readonly Retry[]> => {
    const queryString = queryOf(filter);
    return (await searchLogs({ region: stack.region, logGroupNames, since, queryString })).map(retryOf);
  };
  if (messageIds === undefined) return run('');
  const found: Retry[] = [];
  for (let start = 0; start < messageIds.length; start += retryQueryIdsMax) {
    // An id in another form than SQS's could end the string and change the query.
    const ids = messageIds.slice(start, start + retryQueryIdsMax).filter((id) => /^[\w-]+$/.test(id));
    found.push(...(await run(` and message_id in ${JSON.stringify(ids)}`)));
  }
  return found;
}

const queryOf = (filter: string): string => `filter message = "record will be retried"${filter}
    | stats latest(reason) as last_reason, latest(error_name) as last_error, max(@timestamp) as last_at
      by message_id
    | limit ${logRowsMax}`;

const retryOf = ({ message_id, last_reason, last_error, last_at }: FoundLine): Retry => ({
  messageId: message_id ?? '',
  reason: last_reason ?? 'unknown',
  errorName: last_error,
  at: timeOf(last_at),
});

/** A time of a result: UTC in the form 2026-11-21 14:29:27.123, or milliseconds. */
function timeOf(text = ''): number {
  return /^\d+$/.test(text) ? Number(text) : Date.parse(`${text.replace(' ', 'T')}Z`);
}
