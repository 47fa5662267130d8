import { sentenceOf, type UnreadableWebhook, type Webhook } from '@payhooks/payment-service';
import { isSameUrl, type Registrations } from '../../lambdas/webhook-audit/audit.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { PaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

/** Every webhook of the account, and every row of its list that is none. */
export function readWebhooks({ terminal }: Session, service: PaymentService): Promise<Registrations> {
  return service.call(async (client) => {
    const webhooks: Webhook[] = [];
    const unreadable: UnreadableWebhook[] = [];
    for await (const webhook of client.allWebhooks({ onUnreadable: (row) => void unreadable.push(row) })) {
      webhooks.push(webhook);
      if (webhooks.length % 50 === 0) terminal.progress(`Reading the webhooks, ${webhooks.length} so far …`);
    }
    return { webhooks, unreadable };
  });
}

/** Every webhook of the account; a note names each row that is none. */
export async function allWebhooks(session: Session, service: PaymentService): Promise<readonly Webhook[]> {
  const { webhooks, unreadable } = await readWebhooks(session, service);
  for (const { id, url, mismatch } of unreadable) {
    const row = printable(`${id ?? 'without an id'} (${url ?? 'without a URL'})`, 300);
    session.terminal.note(`The webhook ${row} is unreadable and left out: ${sentenceOf(mismatch)}.`);
  }
  return webhooks;
}

/** The API document has no operation that reads one webhook, so this searches the list. */
export async function webhookOf(session: Session, service: PaymentService, id: string): Promise<Webhook> {
  const webhooks = await allWebhooks(session, service);
  const found = webhooks.find((webhook) => webhook.id.toLowerCase() === id.toLowerCase());
  if (found !== undefined) return found;
  const count = `it has ${webhooks.length}. To list them: payhooks webhooks list`;
  throw new CommandError('failed', `The account has no webhook with the id ${printable(id)}; ${count}`);
}

/** Shows the rows of a table, as objects of the API with `--json`. */
export function showWebhooks(
  session: Session,
  options: CommonOptions,
  { webhooks, unreadable }: Registrations,
): ExitCode {
  return show(session, options, {
    document: [...webhooks, ...unreadable].map(({ record }) => record),
    print() {
      if (webhooks.length + unreadable.length === 0)
        return session.terminal.print('No webhook is registered.');
      printTable(session, webhooks, unreadable);
    },
  });
}

export function printTable(
  { terminal }: Session,
  webhooks: readonly Webhook[],
  unreadable: readonly UnreadableWebhook[] = [],
): void {
  const rows = webhooks.map((webhook) => {
    const { id, url, enabled_events, created_at } = webhook;
    return [id, modeOf(webhook), url, enabled_events.join(','), created_at];
  });
  const odd = unreadable.map(({ id, url, mismatch }) => {
    return [id ?? '?', 'unreadable', url ?? '?', sentenceOf(mismatch), '?'];
  });
  terminal.table(['ID', 'MODE', 'URL', 'EVENTS', 'CREATED'], [...rows, ...odd]);
}

export const showWebhook = (session: Session, options: CommonOptions, webhook: Webhook): ExitCode =>
  show(session, options, { document: webhook.record, print: () => printTable(session, [webhook]) });

/** What registering and updating set, and the mode that they leave to the service. */
type Wanted = Pick<Webhook, 'url' | 'enabled_events' | 'is_live_mode'>;

/** Shows what the service made of a request, and fails where that differs from it. */
export function showResult(
  session: Session,
  options: CommonOptions,
  { wanted, result }: { readonly wanted: Wanted; readonly result: Webhook },
): ExitCode {
  const shown = showWebhook(session, options, result);
  const url = isSameUrl(result.url, wanted.url) ? wanted.url : result.url;
  const differences = changesOf(wanted, { ...result, url });
  if (differences.length === 0) return shown;
  const message = 'The payment service accepted the request, but its webhook differs from it:';
  session.terminal.note([message, ...differences].join('\n'));
  return exitCodes.failed;
}

/** A line for each part that differs. */
export function changesOf(before: Wanted, after: Wanted): readonly string[] {
  const names = ({ enabled_events }: Wanted) => [...new Set(enabled_events)].toSorted().join(',');
  const change = (name: string, from: string, to: string) =>
    from === to ? [] : [`  ${name}  ${printable(from, 200)} → ${printable(to, 200)}`];
  return [
    ...change('URL   ', before.url, after.url),
    ...change('events', names(before), names(after)),
    ...change('mode  ', modeOf(before), modeOf(after)),
  ];
}

export const modeOf = ({ is_live_mode }: Pick<Webhook, 'is_live_mode'>): string =>
  is_live_mode ? 'live' : 'sandbox';
