import { counted } from '../../operator/check-result.ts';
import type { RefusedAddress, RefusedDocument, RefusedGroup } from '../../operator/documents.ts';
import { refusedSinceMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printWrapped } from '../terminal.ts';
import { localText, pastTime } from '../times.ts';

interface RefusedOptions extends CommonOptions {
  /** Milliseconds since the epoch. */
  readonly since?: number;
  readonly until?: number;
}

export function define({ command, action }: CommandSetup): void {
  command
    .option('--since <time>', 'requests from this time on (default: 24h)', pastTime)
    .option('--until <time>', 'requests before this time (default: now)', pastTime)
    .addHelpText(
      'after',
      `
Lists what got no 2xx, by reason and address, from the verifier's log and the API's access log; also what
API Gateway or the firewall refused. Accepted webhooks of the day before count as well: an address that sent
none is probably not the payment service's.
Searches with CloudWatch Logs Insights, which costs $0.005 for each GB of lines: less than a cent for a
million webhooks.
Needs logs:StartQuery on VerifierLogGroup, WebhookAccessLogGroup and the firewall's log group,
logs:GetQueryResults, and as payhooks keys list execute-api:Invoke.
${examplesOf('refused', 'refused --since 2h', 'refused --since yesterday --until today --json')}`,
    )
    .action(action(showRefused));
}

async function showRefused(session: Session, options: RefusedOptions): Promise<ExitCode> {
  const { terminal, now } = session;
  const until = options.until ?? now();
  const since = options.since ?? until - refusedSinceMilliseconds;
  if (since >= until) throw new CommandError('wrongUsage', '--since is not before --until.');
  const stack = await session.stack(options);
  const { readRefused } = await import('../../operator/refused/read-refused.ts');
  terminal.progress('Searching the logs …');
  const document = await readRefused(stack, { since, until });
  return show(session, options, { document, print: () => printRefused(session, document) });
}

function printRefused({ terminal }: Session, { since, is_cut, count, groups }: RefusedDocument): void {
  const from = `since ${timeOf(since)}`;
  terminal.print(
    count === 0 ? `No request was refused ${from}.` : `${counted(count, 'refused request')} ${from}.`,
  );
  if (is_cut) terminal.note('There are more: CloudWatch returns the newest 10,000. Choose a shorter time.');
  for (const group of groups) printGroup(terminal, group);
}

function printGroup(terminal: Session['terminal'], group: RefusedGroup): void {
  const { reason, status, count, meaning, judgement, addresses, more_addresses, command } = group;
  terminal.print('');
  printWrapped(terminal, `${count} × ${status} ${reason}: ${meaning}`, 'yellow');
  printWrapped(terminal, judgement);
  terminal.table(['ADDRESS', 'REQUESTS', 'BYTES', 'FIRST', 'LAST', 'ACCEPTED'], addresses.map(rowOf));
  if (more_addresses > 0) terminal.print(`And ${counted(more_addresses, 'more address')}es.`);
  terminal.print(`→ ${command}`);
}

const timeOf = (iso: string): string => localText(Date.parse(iso));

function rowOf({ address, count, accepted, bytes_min, bytes_max, ...times }: RefusedAddress) {
  const bytes = bytes_min === bytes_max ? `${bytes_min ?? '-'}` : `${bytes_min}-${bytes_max}`;
  const seen = [timeOf(times.first_at), timeOf(times.last_at)];
  return [address ?? 'not logged yet', String(count), bytes, ...seen, accepted ? 'others' : 'none'];
}
