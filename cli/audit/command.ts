import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '../../operator/check-result.ts';
import { compareEvidence, type Finding, timeTextOf } from '../../operator/evidence.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printWrapped } from '../terminal.ts';
import { pastTime } from '../times.ts';

interface AuditOptions extends CommonOptions {
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

export function define({ command, action }: CommandSetup): void {
  command
    .requiredOption('--verify', 'compare the row of each act with the lines of the log, both ways')
    .option('--since <time>', 'acts from this time on (default: all)', pastTime)
    .addHelpText(
      'after',
      `
Before and after an act is stored, a line with the digest of its row goes to the log group
OperationsLogGroup, where nothing can be changed. Reads the table of events as a whole: one read unit for
each 4 KB. Exit code 1 if a row was changed, removed or inserted, or is older than the log.
Needs dynamodb:Scan on EventsTableName; logs:FilterLogEvents on OperationsLogGroup, logs:DescribeLogGroups.
${examplesOf('audit --verify', 'audit --verify --since 30d --json')}`,
    )
    .action(action(verifyActs));
}

async function verifyActs(session: Session, options: AuditOptions): Promise<ExitCode> {
  const { terminal, now, waits } = session;
  const stack = await session.stack(options);
  const { readActRows, readEvidence } = await import('../../operator/aws/evidence.ts');
  const reading = { since: options.since ?? 0, progress: terminal.progress };
  const readAt = now();
  const rows = await readActRows(stack, reading);
  const compare = async () => {
    const evidence = await readEvidence(stack, reading);
    return { ...evidence, findings: compareEvidence({ ...evidence, rows, readAt, since: reading.since }) };
  };
  let compared = await compare();
  // A row may be there before CloudWatch shows its line.
  if (compared.findings.some(({ kind }) => kind === 'inserted' || kind === 'changed')) {
    terminal.progress('Waiting for late lines …');
    await pause(waits.evidenceDelayMilliseconds);
    compared = await compare();
  }
  const { findings, lines, logGroupName, linesSince } = compared;
  const log = { log_group: logGroupName, log_since: new Date(linesSince).toISOString() };
  const document = {
    since: options.since === undefined ? null : new Date(options.since).toISOString(),
    ...{ rows: rows.length, lines: lines.length, ...log, findings },
  };
  return show(session, options, {
    document,
    print: () => printReport(session, document),
    exitCode: findings.length === 0 ? exitCodes.done : exitCodes.failed,
  });
}

interface AuditDocument {
  readonly since: string | null;
  readonly rows: number;
  readonly log_group: string;
  readonly log_since: string;
  readonly findings: readonly Finding[];
}

function printReport({ terminal }: Session, document: AuditDocument): void {
  const { rows, since, findings, log_since: logSince } = document;
  const of = `the ${rows} rows of acts${since === null ? '' : ` since ${since}`}`;
  if (findings.length === 0) {
    const sentence = `Yes: ${of} are as they were written, and none was removed.`;
    printWrapped(terminal, `${sentence} The log begins at ${logSince}.`, 'green');
    return;
  }
  const shown = findings.filter(({ kind }) => kind !== 'unproven');
  const unproven = findings.length - shown.length;
  const wrong = `No: ${counted(shown.length, 'difference')} between ${of} and the log ${document.log_group}.`;
  printWrapped(terminal, shown.length > 0 ? wrong : `Not all of ${of} can be proved.`, 'red');
  if (unproven > 0) {
    const reason = `${unproven} rows are older than the log, which begins at ${logSince}`;
    printWrapped(terminal, `${reason}. To leave them out: --since ${logSince}`);
  }
  if (shown.length === 0) return;
  terminal.table(
    ['ROW', 'TIME', 'ACT', 'BY', 'OF'],
    shown.map((row) => [row.kind, timeTextOf(row), row.act ?? '-', row.by ?? '-', row.event_key]),
  );
}
