import type { WaitingCount } from '@payhooks/order-client';
import { age, ageOf } from '../../operator/age.ts';
import { counted } from '../../operator/check-result.ts';
import type { Finding, QueueDepths, StatusDocument } from '../../operator/documents.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable, wrapped } from '../../operator/printable.ts';
import { type Fault, faultDocument } from '../../operator/safeguards/safeguard.ts';
import { nothingIsLeft, occurrencesSentence } from '../../operator/sentences/alarm-occurrences.ts';
import { attentionCountsText } from '../../operator/sentences/reason-sentences.ts';
import { nextCommand } from '../../operator/stack/stack.ts';
import { severities } from '../../operator/status/findings.ts';
import { readStatus } from '../../operator/status/read-status.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

const notes = `
Type it first when an alarm fires. For each alarm that is on it shows since when, how many events it stands
for, and the next command. Severity: now, today, this week. It also compares the stack with what was deployed,
as payhooks repair does.

Exit codes: 0 all is quiet: no alarm is on, nothing waits, heartbeats return, and the stack is as deployed; 1
otherwise. If a part of the status could not be read, it is marked with ? and the exit code is not 0.

Permissions that you need:
  cloudformation:DescribeStacks, ListStackResources   on the stack
  cloudwatch:DescribeAlarms, GetMetricData            on *
  sqs:GetQueueAttributes                              on the stack's three queues
  execute-api:Invoke                                  on the output OperationsInvokeArn
And, to compare the stack with what was deployed, those of payhooks repair --dry-run.
`;

export function define({ command, action }: CommandSetup): void {
  command
    .addHelpText('after', notes + examplesOf('status', 'status --stack payhooks-production', 'status --json'))
    .action(action(showStatus));
}

export async function showStatus(session: Session, options: CommonOptions): Promise<ExitCode> {
  const { terminal, env } = session;
  const stack = await session.stack(options);
  terminal.progress('Reading alarms and queues …');
  const { document, faults, error } = await readStatus(stack, { env, inspects: true, now: session.now() });
  const { firing, alarms, heartbeat_late, quiet } = document;
  const isFaulty = firing?.length || alarms?.deleted.length || heartbeat_late || faults?.length;
  return show(session, options, {
    document: { stack: stack.name, ...document, faults: faults?.map(faultDocument) ?? null },
    print() {
      printStatus(session, document, faults);
      if (faults?.length) terminal.print(`→ ${nextCommand(stack, 'payhooks repair')}`);
    },
    exitCode: quiet ? exitCodes.done : isFaulty ? exitCodes.failed : (error?.exitCode ?? exitCodes.failed),
  });
}

const messageCharactersMax = 500;

/** One line while all is well; otherwise the alarms by severity, the levels, and what is not known. */
function printStatus(
  { terminal, now }: Session,
  document: StatusDocument,
  faults: readonly Fault[] | undefined,
): void {
  const { firing, quiet, unknown } = document;
  const texts = [alarmsText(document), ...levelTexts(document, now())];
  if (faults?.length === 0) texts.push('everything is as deployed');
  if (quiet) {
    terminal.print(`All quiet: ${texts.join('; ')}.`);
    return;
  }
  for (const severity of severities) {
    const group = firing?.filter((finding) => finding.severity === severity) ?? [];
    if (group.length === 0) continue;
    terminal.print(terminal.style(severity === 'now' ? 'red' : 'yellow', severity.toUpperCase()));
    for (const line of group.flatMap((finding) => linesOf(finding, now(), terminal.columns)))
      terminal.print(line);
    terminal.print('');
  }
  for (const line of texts.flatMap((text) => wrapped(text, terminal.columns))) terminal.print(line);
  const doubts = [
    ...(document.heartbeat_late
      ? [['red', `✗ ${heartbeatText(document.last_heartbeat_at, now())}`] as const]
      : []),
    ...unknown.map(({ part, message }) => ['yellow', `? ${part}: ${message}`] as const),
    ...(faults ?? []).map(({ message }) => ['red', `✗ ${message}`] as const),
  ];
  for (const [colour, text] of doubts) {
    for (const line of wrapped(printable(text, messageCharactersMax), terminal.columns)) {
      terminal.print(terminal.style(colour, line));
    }
  }
}

function linesOf(finding: Finding, now: number, columns: number): readonly string[] {
  const { alarm, since, count, counted, oldest_at, occurrences, meaning, command, runbook } = finding;
  const time = since === null ? '' : `, on for ${ageOf(since, now)} (since ${since.slice(0, 16)}Z)`;
  const oldest = oldest_at === null ? '' : `, the oldest for ${ageOf(oldest_at, now)}`;
  const level =
    count === null ? '' : count === 0 ? ` ${nothingIsLeft}` : ` Now: ${count} ${counted}${oldest}.`;
  const times = occurrences === null ? '' : ` ${occurrencesSentence(occurrences, now)}`;
  const text = printable(`${meaning}${level}${times}`, messageCharactersMax);
  return [
    `  ${alarm}${time}`,
    ...wrapped(text, columns - 4).map((line) => `    ${line}`),
    ...(command === null ? [] : [`    → ${command}`]),
    `    → ${runbook}`,
  ];
}

function alarmsText({ alarms, firing }: StatusDocument): string {
  if (alarms === null || firing === null) return 'the alarms are not known';
  const { count, without_data, deleted } = alarms;
  const parts = [
    `${firing.length || 'none'} of ${count} alarms ${firing.length > 1 ? 'are' : 'is'} on`,
    ...(without_data.length === 0 ? [] : [`${without_data.length} without data yet`]),
    ...(deleted.length === 0 ? [] : [`deleted by hand: ${deleted.join(', ')}`]),
  ];
  return parts.join(', ');
}

function levelTexts(document: StatusDocument, now: number): readonly string[] {
  const { queues, waiting, last_event_at, last_heartbeat_at, heartbeat_late } = document;
  return [
    ...(waiting === null ? [] : [waitingText(waiting, now)]),
    ...(queues === null ? [] : [queuesText(queues)]),
    ...(waiting === null ? [] : [lastEventText(last_event_at, now)]),
    ...(heartbeat_late === false ? [heartbeatText(last_heartbeat_at, now)] : []),
  ];
}

function waitingText(waiting: readonly WaitingCount[], now: number): string {
  if (waiting.length === 0) return 'nothing waits';
  const kinds = waiting.map(({ mode, kind, count, oldest_recorded_at: at, attention }) => {
    const kinds = attention === undefined ? [] : [attentionCountsText(attention)];
    const details = [...kinds, ...(at === null ? [] : [`oldest ${ageOf(at, now)}`])].join('; ');
    const oldest = details === '' ? '' : ` (${details})`;
    return `${count} ${kind}${mode === 'sandbox' ? ' in the sandbox' : ''}${oldest}`;
  });
  return `waiting: ${kinds.join(', ')}`;
}

const lastEventText = (at: string | null, now: number): string =>
  at === null ? 'no live event so far' : `last live event ${ageOf(at, now)} ago`;

const heartbeatText = (at: string | null, now: number): string =>
  at === null ? 'no heartbeat has returned for hours' : `last heartbeat returned ${ageOf(at, now)} ago`;

function queuesText(queues: QueueDepths): string {
  const { events, oldest_event_seconds: seconds, dead_letters, feed_failures } = queues;
  if (events + dead_letters + feed_failures === 0) return 'the queues are empty';
  const oldest = seconds === null ? '' : ` (oldest ${age(seconds * 1_000)})`;
  return [
    `${counted(events, 'event')} not recorded yet${oldest}`,
    counted(dead_letters, 'dead letter'),
    `${counted(feed_failures, 'change')} not published`,
  ].join(', ');
}
