import { setTimeout as pause } from 'node:timers/promises';
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  GetQueryResultsCommand,
  type ResultField,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { logRowsMax, logSearchMilliseconds, logSearchPollMilliseconds } from '../limits.ts';
import { CommandError } from '../operator-error.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { awsClientOptions, serviceOptions } from './client-options.ts';

export interface LogSearch {
  readonly region: string;
  readonly logGroupNames: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Now by default. */
  readonly until?: number;
  readonly queryString: string;
}

/** A line that was found: its fields by their names. */
export type FoundLine = Readonly<Record<string, string | undefined>>;

/** Searches log groups with CloudWatch Logs Insights. */
export async function searchLogs(search: LogSearch): Promise<readonly FoundLine[]> {
  const { region, since, until = Date.now(), queryString, logGroupNames } = search;
  const client = new CloudWatchLogsClient({ ...awsClientOptions, region });
  const startTime = Math.floor(since / 1_000);
  const endTime = Math.ceil(until / 1_000);
  const { queryId } = await client.send(
    new StartQueryCommand({ logGroupNames: [...logGroupNames], startTime, endTime, queryString }),
  );
  const givenUpAt = performance.now() + logSearchMilliseconds;
  while (performance.now() < givenUpAt) {
    const { status, results = [] } = await client.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') return results.map(lineOf);
    if (status !== 'Running' && status !== 'Scheduled') break;
    await pause(logSearchPollMilliseconds);
  }
  throw new CommandError('failed', `The search in the log group ${logGroupNames.join(', ')} did not end.`);
}

const lineOf = (fields: readonly ResultField[]): FoundLine =>
  Object.fromEntries(fields.map(({ field = '', value }) => [field, value || undefined]));

export interface Line {
  /** When it was written; milliseconds since the epoch. */
  readonly at: number;
  readonly text: string;
}

type Lines = Pick<LogSearch, 'since' | 'until'>;

/** The newest lines that meet a condition of Logs Insights; in local mode, which has none, all of them. */
export async function newestLines(
  stack: Stack,
  group: string,
  { filter, ...span }: Lines & { filter: string },
) {
  if (stack.localUrl !== undefined) return readLines(stack, group, span);
  const newest = `sort @timestamp desc | limit ${logRowsMax}`;
  const queryString = `fields @timestamp, @message | filter ${filter} | ${newest}`;
  const logGroupNames = [outputOf(stack, group)];
  const found = await searchLogs({ ...span, region: stack.region, logGroupNames, queryString });
  return found.map(({ '@timestamp': at = '', '@message': text = '' }): Line => {
    return { at: Date.parse(`${at.replace(' ', 'T')}Z`), text };
  });
}

/** The latest lines of a function that writes little; `group` is an output of the stack. */
export async function readLines(
  stack: Stack,
  group: string,
  { message, since, until }: Lines & { readonly message?: string },
): Promise<readonly Line[]> {
  const client = new CloudWatchLogsClient(serviceOptions(stack, 'logs'));
  const { events = [] } = await client.send(
    new FilterLogEventsCommand({
      logGroupName: outputOf(stack, group),
      startTime: Math.floor(since),
      ...(until !== undefined && { endTime: Math.ceil(until) }),
      ...(message !== undefined && { filterPattern: `"${message}"` }),
    }),
  );
  return events.map(({ timestamp: at = 0, message: text = '' }) => ({ at, text }));
}
