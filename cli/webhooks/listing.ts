import type { Webhook } from '@payhooks/payment-service';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import type { PaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';

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

/** Shows the rows of a table, as objects of the API with `--json`. */
export function showWebhooks(
  session: Session,
  options: CommonOptions,
  webhooks: readonly Webhook[],
  document: unknown = webhooks.map(({ record }) => record),
): ExitCode {
  return show(session, options, {
    document,
    print() {
      if (webhooks.length === 0) return session.terminal.print('No webhook is registered.');
      const rows = webhooks.map((webhook) => {
        const { id, url, is_live_mode, enabled_events, created_at } = webhook;
        return [id, is_live_mode ? 'live' : 'sandbox', url, enabled_events.join(','), created_at];
      });
      session.terminal.table(['ID', 'MODE', 'URL', 'EVENTS', 'CREATED'], rows);
    },
  });
}

export const showWebhook = (session: Session, options: CommonOptions, webhook: Webhook): ExitCode =>
  showWebhooks(session, options, [webhook], webhook.record);
