import { OrderNotFoundError } from '@payhooks/order-client';
import { Option } from 'commander';
import type { FoundLine } from '../../operator/aws/log-search.ts';
import { logRowsMax, readsSinceMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { openOrderQuery } from '../../operator/order-query.ts';
import { printable } from '../../operator/printable.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';
import { chosenMode } from '../mode.ts';
import { type CommandSetup, examplesOf, isoTime } from '../options.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { type ReadsSearch, readsSearches } from './query.ts';

interface ReadsOptions extends CommonOptions {
  readonly event?: string;
  readonly order?: string;
  readonly sandbox?: true;
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

/** A request for a payload. */
interface Read {
  readonly at: string;
  /** The ARN of the caller's IAM identity; `null` for a request that was refused before it was known. */
  readonly caller: string | null;
  readonly account: string | null;
  readonly ip: string | null;
  /** Only 200 returned a payload. */
  readonly status: number;
  readonly route: string;
  readonly path: string;
}

export function addReads({ program, action }: CommandSetup): void {
  program
    .command('reads')
    .description('List who read customer data: every request for a payload, the latest first')
    .addOption(new Option('--event <id>', 'only the payloads of this event').conflicts('order'))
    .option('--order <id>', 'only the payloads of the events of this order')
    .option('--since <time>', 'from this time on, in ISO 8601 with a zone (default: 30 days ago)', isoTime)
    .addOption(new Option('--sandbox', 'the sandbox order of this id; the log itself covers both modes'))
    .addHelpText(
      'after',
      `
It searches the access logs of the order query and the operations API, which are kept for the setting
accessLogRetentionDays. Only status 200 returned a payload. A row of the tables that is read past both APIs is
in CloudTrail only. Needs logs:StartQuery on the outputs OrderQueryAccessLogGroup and
OperationsAccessLogGroup, logs:GetQueryResults, and with --order execute-api:Invoke on the output
OrderQueryInvokeArn.
${examplesOf('reads', 'reads --order order-1001', 'reads --event ID --since 2026-11-01T00:00:00Z --json')}`,
    )
    .action(action(listReads));
}

async function listReads(session: Session, options: ReadsOptions): Promise<ExitCode> {
  const { terminal, now } = session;
  const stack = await createTarget(session, options).stack();
  if (stack.localUrl !== undefined) {
    throw new CommandError('failed', 'Local mode has no access log; name a stack in AWS with --stack.');
  }
  const searches = readsSearches(await eventsOf(stack, options));
  const since = options.since ?? now() - readsSinceMilliseconds;
  const { reads, isComplete } = await run(stack, searches, since);
  if (options.json) {
    terminal.json({ reads, is_complete: isComplete });
    return exitCodes.done;
  }
  if (reads.length === 0) terminal.print(`No payload was requested since ${new Date(since).toISOString()}.`);
  else {
    terminal.table(
      ['TIME', 'CALLER', 'FROM', 'STATUS', 'PATH'],
      reads.map(({ at, caller, ip, status, path }) => [
        at,
        printable(caller ?? '-', 200),
        ip ?? '-',
        String(status),
        printable(path, 200),
      ]),
    );
  }
  if (!isComplete)
    terminal.print(`There are more than ${logRowsMax}: choose a later --since, or an --event.`);
  return exitCodes.done;
}

/** Of an order: the events that count in it, and those that name it and wait. */
async function eventsOf(stack: Stack, options: ReadsOptions): Promise<readonly string[] | undefined> {
  const { event, order } = options;
  if (order === undefined) return event === undefined ? undefined : [event];
  const { events, waiting } = await openOrderQuery(stack)
    .orderEvents(order, { mode: chosenMode(options) })
    .catch((error: unknown) => {
      if (!(error instanceof OrderNotFoundError) || error.waiting.length === 0) throw error;
      return { events: [], waiting: error.waiting };
    });
  const ids = [...events.map(({ id }) => id), ...waiting.map(({ event_id }) => event_id)];
  return [...new Set(ids)];
}

async function run(stack: Stack, searches: readonly ReadsSearch[], since: number) {
  const { searchLogs } = await import('../../operator/aws/log-search.ts');
  const logGroupNames = ['OrderQueryAccessLogGroup', 'OperationsAccessLogGroup'].map((name) =>
    outputOf(stack, name),
  );
  const reads: Read[] = [];
  let isComplete = true;
  for (const { queryString, isMeant } of searches) {
    const lines = await searchLogs({ region: stack.region, logGroupNames, since, queryString });
    isComplete &&= lines.length < logRowsMax;
    reads.push(...lines.map(readOf).filter(({ path }) => isMeant(path)));
  }
  return { reads: reads.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)), isComplete };
}

const readOf = (line: FoundLine): Read => ({
  // UTC in the form 2026-11-21 14:29:27.123
  at: `${line['@timestamp']?.replace(' ', 'T')}Z`,
  caller: known(line['caller']),
  account: known(line['callerAccount']),
  ip: known(line['ip']),
  status: Number(line['status']),
  route: line['routeKey'] ?? '',
  path: line['path'] ?? '',
});

/** API Gateway writes a hyphen for a value that it does not have. */
const known = (value: string | undefined): string | null => (value === '-' ? null : (value ?? null));
