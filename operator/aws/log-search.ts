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

interface NewestLines extends Omit<LogSearch, 'region' | 'logGroupNames' | 'queryString'> {
  readonly logGroupName: string;
  /** A condition of Logs Insights. */
  readonly filter: string;
}

/** The newest lines of a group that meet the filter; in local mode, which knows no filter, all of them. */
export async function newestLines(stack: Stack, search: NewestLines): Promise<readonly Line[]> {
  const { logGroupName, filter, since, until = Date.now() } = search;
  if (stack.localUrl === undefined) {
    const queryString = `fields @timestamp, @message | filter ${filter} | sort @timestamp desc | limit ${logRowsMax}`;
    const times = { since, until };
    const found = await searchLogs({
      ...times,
      region: stack.region,
      logGroupNames: [logGroupName],
      queryString,
    });
    return found.map(({ '@timestamp': at = '', '@message': text = '' }) => ({
      at: Date.parse(`${at.replace(' ', 'T')}Z`),
      text,
    }));
  }
  const client = new CloudWatchLogsClient(serviceOptions(stack, 'logs'));
  const times = { startTime: Math.floor(since), endTime: Math.ceil(until) };
  const { events = [] } = await client.send(new FilterLogEventsCommand({ logGroupName, ...times }));
  return events.map(({ timestamp: at = 0, message: text = '' }) => ({ at, text }));
}

/** The latest lines with this message of a function that writes little; `group` is an output of the stack. */
export async function readLines(
  stack: Stack,
  group: string,
  { message, since }: { readonly message: string; readonly since: number },
): Promise<readonly string[]> {
  const client = new CloudWatchLogsClient(serviceOptions(stack, 'logs'));
  const { events = [] } = await client.send(
    new FilterLogEventsCommand({
      logGroupName: outputOf(stack, group),
      startTime: Math.floor(since),
      filterPattern: `"${message}"`,
    }),
  );
  return events.flatMap((event) => event.message ?? []);
}
