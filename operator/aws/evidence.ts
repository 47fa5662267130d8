import {
  CloudWatchLogsClient,
  DescribeLogGroupsCommand,
  paginateFilterLogEvents,
} from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import { evidenceLines, rowDigest } from '../../lambdas/contract/evidence.ts';
import { eventAttributes } from '../../lambdas/contract/schema.ts';
import type { EvidencedRow, EvidenceLine } from '../evidence.ts';
import { CommandError } from '../operator-error.ts';
import { outputOf, type Stack } from '../stack/stack.ts';
import { serviceOptions } from './client-options.ts';
import { openTables } from './tables.ts';

interface Reading {
  /** Milliseconds since the epoch. */
  readonly since: number;
  readonly progress: (line: string) => void;
}

/** The rows of acts from a time on. */
export async function readActRows(stack: Stack, { since, progress }: Reading) {
  const rows: EvidencedRow[] = [];
  let seen = 0;
  const from = new Date(since).toISOString();
  for await (const page of openTables(stack).actRows(outputOf(stack, 'EventsTableName'), from)) {
    seen += page.scanned;
    rows.push(...page.rows.map((row) => ({ ...namesOf(row), sha256: rowDigest(row) })));
    progress(`Reading the table, ${seen} rows, ${rows.length} of acts …`);
  }
  return rows;
}

const namesOf = (row: Readonly<Record<string, { readonly S?: string | undefined }>>) => ({
  event_key: row[eventAttributes.key]?.S ?? '',
  record: row[eventAttributes.record]?.S ?? '',
  act: row['act']?.S ?? null,
  by: row['by']?.S ?? null,
});

const lineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    message: v.picklist(Object.values(evidenceLines)),
    ...{ event_key: v.string(), record: v.string(), sha256: v.string(), act: v.string(), by: v.string() },
  }),
);
/** CloudWatch then returns no other lines of the function. */
const filterPattern = Object.values(evidenceLines)
  .map((message) => `($.message = "${message}")`)
  .join(' || ');

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** The lines about them, and from when on the log group has lines. */
export async function readEvidence(stack: Stack, { since, progress }: Reading) {
  const client = new CloudWatchLogsClient(serviceOptions(stack, 'logs'));
  const logGroupName = outputOf(stack, 'OperationsLogGroup');
  const described = await client.send(new DescribeLogGroupsCommand({ logGroupNamePrefix: logGroupName }));
  const group = described.logGroups?.find((one) => one.logGroupName === logGroupName);
  if (group === undefined) throw new CommandError('failed', `The log group ${logGroupName} was deleted.`);
  const { creationTime = 0, retentionInDays } = group;
  const kept = retentionInDays === undefined ? 0 : Date.now() - retentionInDays * dayMilliseconds;
  const lines: EvidenceLine[] = [];
  const request = { logGroupName, startTime: since, filterPattern: `{ ${filterPattern} }` };
  for await (const { events = [] } of paginateFilterLogEvents({ client }, request)) {
    for (const { message, timestamp = 0 } of events) {
      const line = v.safeParse(lineSchema, message);
      if (line.success) lines.push({ ...line.output, at: timestamp });
    }
    progress(`Reading the log, ${lines.length} lines of acts …`);
  }
  return { logGroupName, lines, linesSince: Math.max(creationTime, kept) };
}
