import { counted } from '../../operator/check-result.ts';
import type { RefusedAddress, RefusedDocument } from '../../operator/documents.ts';
import { refusedSinceMilliseconds } from '../../operator/limits.ts';
import type { ExitCode } from '../../operator/operator-error.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type Session, show } from '../session.ts';
import { printWrapped } from '../terminal.ts';
import { localText, pastTime, refuseEmptySpan, type SpanOptions } from '../times.ts';

export function define({ command, action }: CommandSetup): void {
  command
    .option('--since <time>', 'requests from this time on (default: 24h)', pastTime)
    .option('--until <time>', 'requests before this time (default: now)', pastTime)
    .addHelpText(
      'after',
      `
Lists what got no 2xx, by reason and address, from the verifier's log and the API's access log; also what
API Gateway or the firewall refused. An address without an accepted webhook since the day before is probably
not the payment service's.
Searches with CloudWatch Logs Insights, which costs $0.005 for each GB of lines: less than a cent for a
million webhooks.
Needs logs:StartQuery on VerifierLogGroup, WebhookAccessLogGroup and the firewall's log group,
logs:GetQueryResults, and as payhooks keys list execute-api:Invoke.
${examplesOf('refused', 'refused --since 2h', 'refused --since yesterday --until today --json')}`,
    )
    .action(action(showRefused));
}

async function showRefused(session: Session, options: SpanOptions): Promise<ExitCode> {
  const { terminal, now } = session;
  const until = options.until ?? now();
  const since = options.since ?? until - refusedSinceMilliseconds;
  refuseEmptySpan(since, until);
  const stack = await session.stack(options);
  const { readRefused } = await import('../../operator/refused/read-refused.ts');
  terminal.progress('Searching the logs …');
  const document = await readRefused(stack, { since, until });
  return show(session, options, { document, print: () => printRefused(session, document) });
}

function printRefused({ terminal }: Session, { since, is_cut, count, groups }: RefusedDocument): void {
  const what = count === 0 ? 'No request was refused' : counted(count, 'refused request');
  terminal.print(`${what} since ${timeOf(since)}.`);
  if (is_cut) terminal.note('There are more: CloudWatch returns the newest 10,000. Choose a shorter time.');
  for (const { reason, status, meaning, judgement, command, ...group } of groups) {
    terminal.print('');
    printWrapped(terminal, `${group.count} × ${status} ${reason}: ${meaning}`, 'yellow');
    printWrapped(terminal, judgement);
    const head = ['ADDRESS', 'REQUESTS', 'BYTES', 'FIRST', 'LAST', 'OTHERS ACCEPTED'];
    terminal.table(head, group.addresses.map(rowOf));
    if (group.more_addresses > 0) terminal.print(`Other addresses: ${group.more_addresses}.`);
    terminal.print(`→ ${command}`);
  }
}

const timeOf = (iso: string): string => localText(Date.parse(iso));

const rowOf = ({ address, count, bytes, first_at, last_at, accepted }: RefusedAddress) => [
  ...[address ?? 'not logged yet', String(count), bytes ?? '-', timeOf(first_at), timeOf(last_at)],
  accepted ? 'yes' : 'no',
];
