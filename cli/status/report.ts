import { ageOf } from '../age.ts';
import { printable, wrapped } from '../printable.ts';
import type { Session } from '../session.ts';
import { type Finding, severities } from './findings.ts';
import type { QueueDepths, Status } from './read-status.ts';

const lineCharactersMax = 100;
const messageCharactersMax = 500;

/** One line while all is well; otherwise the alarms by severity, the levels, and what is not known. */
export function printStatus({ terminal, now }: Session, status: Status, findings: readonly Finding[]): void {
  if (isQuiet(status, findings)) {
    terminal.print(`All quiet: ${[alarmsText(status), ...levelTexts(status)].join('; ')}.`);
    return;
  }
  for (const severity of severities) {
    const group = findings.filter((finding) => finding.severity === severity);
    if (group.length === 0) continue;
    terminal.print(terminal.style(severity === 'now' ? 'red' : 'yellow', severity.toUpperCase()));
    for (const line of group.flatMap((finding) => linesOf(finding, now()))) terminal.print(line);
    terminal.print('');
  }
  for (const text of [alarmsText(status), ...levelTexts(status)]) terminal.print(text);
  for (const { part, error } of status.unknown) {
    const text = `? ${part}: ${printable(error.message, messageCharactersMax)}`;
    for (const line of wrapped(text, lineCharactersMax)) terminal.print(terminal.style('yellow', line));
  }
}

const isQuiet = ({ unknown, alarms }: Status, findings: readonly Finding[]): boolean =>
  findings.length === 0 && unknown.length === 0 && alarms?.deleted.length === 0;

function linesOf(finding: Finding, now: number): readonly string[] {
  const { alarm, since, count, counted, meaning, command, runbook } = finding;
  const time = since === null ? '' : `  on for ${ageOf(since, now)}, since ${since.slice(0, 16)}Z`;
  const level = count === null ? '' : `: ${count} ${counted}`;
  return [
    `  ${alarm}${level}${time}`,
    ...wrapped(printable(meaning, messageCharactersMax), lineCharactersMax - 4).map((line) => `    ${line}`),
    ...(command === null ? [] : [`    → ${command}`]),
    `    → ${runbook}`,
  ];
}

function alarmsText({ alarms }: Status): string {
  if (alarms === undefined) return 'the alarms are not known';
  const { count, firing, withoutData, deleted } = alarms;
  const parts = [
    `${firing.length || 'none'} of ${count} alarms ${firing.length > 1 ? 'are' : 'is'} on`,
    ...(withoutData.length === 0 ? [] : [`${withoutData.length} have no data yet`]),
    ...(deleted.length === 0 ? [] : [`deleted by hand: ${deleted.join(', ')}`]),
  ];
  return parts.join(', ');
}

const levelTexts = ({ queues }: Status): readonly string[] =>
  queues === undefined ? [] : [queuesText(queues)];

function queuesText({ events, dead_letters, feed_failures }: QueueDepths): string {
  if (events + dead_letters + feed_failures === 0) return 'the queues are empty';
  const recording = `${events} events not recorded yet, ${dead_letters} dead letters`;
  return `${recording}, ${feed_failures} changes not published`;
}
