import type { Webhook } from '@payhooks/payment-service';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { PaymentService } from '../payment-service.ts';
import type { CommonOptions, Session } from '../session.ts';

/** Every webhook of the account. */
export function allWebhooks({ terminal }: Session, service: PaymentService): Promise<readonly Webhook[]> {
  return service.call(async (client) => {
    const webhooks: Webhook[] = [];
    for await (const webhook of client.allWebhooks()) {
      webhooks.push(webhook);
      if (webhooks.length % 50 === 0) terminal.progress(`Reading the webhooks, ${webhooks.length} so far …`);
    }
    return webhooks;
  });
}

/** The API document has no operation that reads one webhook, so this searches the list. */
export async function webhookOf(session: Session, service: PaymentService, id: string): Promise<Webhook> {
  const webhooks = await allWebhooks(session, service);
  const found = webhooks.find((webhook) => webhook.id.toLowerCase() === id.toLowerCase());
  if (found !== undefined) return found;
  const count = `it has ${webhooks.length}. To list them: payhooks webhooks list`;
  throw new CommandError('failed', `The account has no webhook with the id ${printable(id)}; ${count}`);
}

export function printWebhooks({ terminal }: Session, webhooks: readonly Webhook[]): void {
  if (webhooks.length === 0) {
    terminal.print('No webhook is registered.');
    return;
  }
  const rows = webhooks.map(({ id, url, is_live_mode, enabled_events, created_at }) => [
    id,
    is_live_mode ? 'live' : 'sandbox',
    url,
    enabled_events.join(','),
    created_at,
  ]);
  terminal.table(['ID', 'MODE', 'URL', 'EVENTS', 'CREATED'], rows);
}

/** Prints one webhook: as the API's object with `--json`, otherwise as a table. */
export function showWebhook(session: Session, webhook: Webhook, { json }: CommonOptions): ExitCode {
  if (json) session.terminal.json(webhook.record);
  else printWebhooks(session, [webhook]);
  return exitCodes.done;
}
