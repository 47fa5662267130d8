import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CommandError } from '../command-error.ts';
import type { Retry, RetryQuery } from '../dlq/retry.ts';
import {
  retryQueryIdsMax,
  retryQueryMilliseconds,
  retryQueryPollMilliseconds,
  retryQueryRowsMax,
} from '../limits.ts';
import { outputOf, type Stack } from '../target/stack.ts';
import { awsClientOptions } from './client-options.ts';

/** Searches the consumer's log with CloudWatch Logs Insights. */
export async function queryRetries(
  stack: Stack,
  { since, messageIds }: RetryQuery,
): Promise<readonly Retry[]> {
  const client = new CloudWatchLogsClient({ ...awsClientOptions, region: stack.region });
  const logGroupName = outputOf(stack, 'ConsumerLogGroup');
  const run = (filter: string) => runQuery(client, { logGroupName, since, filter });
  if (messageIds === undefined) return run('');
  const found: Retry[] = [];
  for (let start = 0; start < messageIds.length; start += retryQueryIdsMax) {
    // An id in another form than SQS's could end the string and change the query.
    const ids = messageIds.slice(start, start + retryQueryIdsMax).filter((id) => /^[\w-]+$/.test(id));
    found.push(...(await run(` and message_id in ${JSON.stringify(ids)}`)));
  }
  return found;
}

interface Search {
  readonly logGroupName: string;
  readonly since: number;
  readonly filter: string;
}

async function runQuery(
  client: CloudWatchLogsClient,
  { logGroupName, since, filter }: Search,
): Promise<readonly Retry[]> {
  const queryString = `filter message = "record will be retried"${filter}
    | stats latest(reason) as last_reason, latest(error_name) as last_error, max(@timestamp) as last_at
      by message_id
    | limit ${retryQueryRowsMax}`;
  const startTime = Math.floor(since / 1_000);
  const endTime = Math.ceil(Date.now() / 1_000);
  const { queryId } = await client.send(
    new StartQueryCommand({ logGroupName, startTime, endTime, queryString }),
  );
  const until = performance.now() + retryQueryMilliseconds;
  while (performance.now() < until) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results.map(retryOf);
    if (status !== 'Running' && status !== 'Scheduled') break;
    await pause(retryQueryPollMilliseconds);
  }
  throw new CommandError('failed', `The search in the log group ${logGroupName} did not end.`);
}

function retryOf(fields: readonly ResultField[]): Retry {
  const textOf = (name: string) => fields.find(({ field }) => field === name)?.value || undefined;
  return {
    messageId: textOf('message_id') ?? '',
    reason: textOf('last_reason') ?? 'unknown',
    errorName: textOf('last_error'),
    // UTC in the form 2026-11-21 14:29:27.123, or milliseconds.
    at: timeOf(textOf('last_at') ?? ''),
  };
}

function timeOf(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Date.parse(`${text.replace(' ', 'T')}Z`);
}
