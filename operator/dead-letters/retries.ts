import * as v from 'valibot';
import type { FoundLine } from '../aws/log-search.ts';
import { logRowsMax, retryQueryIdsMax } from '../limits.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

/** The latest failed attempt of a message. */
export interface Retry {
  readonly messageId: string;
  /** The reason that the consumer logged, and the name of the error if it was one of AWS. */
  readonly error: string;
}

interface RetryQuery {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly messageIds: readonly string[];
}

const errorOf = (reason: string, name: string | null | undefined): string =>
  name ? `${reason} (${name})` : reason;

const retried = 'record will be retried';
const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...{ message: v.literal(retried), message_id: v.string(), reason: v.string() },
    error_name: v.nullish(v.string()),
  }),
);

/** The failed attempts that the consumer of a stack logged, the latest one of each message. */
export async function readRetries(stack: Stack, query: RetryQuery): Promise<readonly Retry[]> {
  const { since, messageIds } = query;
  if (stack.localUrl === undefined) return searchRetries(stack, query);
  // Local mode has no Logs Insights, and few lines.
  const { readLines } = await import('../aws/log-search.ts');
  const lines = await readLines(stack, 'ConsumerLogGroup', { message: retried, since });
  const latest = new Map<string, Retry>();
  for (const { text } of lines) {
    const { success, output } = v.safeParse(lineSchema, text);
    if (!success || !messageIds.includes(output.message_id)) continue;
    const { message_id: messageId, reason, error_name } = output;
    latest.set(messageId, { messageId, error: errorOf(reason, error_name) });
  }
  return [...latest.values()];
}

/** Searches the consumer's log with CloudWatch Logs Insights. */
async function searchRetries(stack: Stack, { since, messageIds }: RetryQuery): Promise<readonly Retry[]> {
  const { searchLogs } = await import('../aws/log-search.ts');
  const logGroupNames = [outputOf(stack, 'ConsumerLogGroup')];
  const found: Retry[] = [];
  for (let start = 0; start < messageIds.length; start += retryQueryIdsMax) {
    // An id in another form than SQS's could end the string and change the query.
    const ids = messageIds.slice(start, start + retryQueryIdsMax).filter((id) => /^[\w-]+$/.test(id));
    const queryString = queryOf(ids);
    found.push(
      ...(await searchLogs({ region: stack.region, logGroupNames, since, queryString })).map(retryOf),
    );
  }
  return found;
}

const queryOf = (ids: readonly string[]): string => `filter message = "${retried}"
      and message_id in ${JSON.stringify(ids)}
    | stats latest(reason) as last_reason, latest(error_name) as last_error by message_id
    | limit ${logRowsMax}`;

const retryOf = ({ message_id = '', last_reason = 'unknown', last_error }: FoundLine): Retry => ({
  messageId: message_id,
  error: errorOf(last_reason, last_error),
});
