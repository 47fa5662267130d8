import type { Webhook, WebhookRegistration } from '@payhooks/payment-service';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { openPaymentService } from '../payment-service.ts';
import type { CommonOptions, Session } from '../session.ts';
import { showWebhook, webhookOf } from './listing.ts';

interface UpdateOptions extends CommonOptions {
  readonly url?: string;
  readonly events?: readonly string[];
}

/** Sends unchanged fields too: the API document leaves open whether an update replaces or merges. */
export async function updateWebhook(session: Session, id: string, options: UpdateOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  if (options.url === undefined && options.events === undefined) {
    throw new CommandError('wrongUsage', 'There is nothing to change: give --url, --events, or both.');
  }
  const service = await openPaymentService(session, options);
  const webhook = await webhookOf(session, service, id);
  const wanted = {
    url: options.url ?? webhook.url,
    enabled_events: options.events ?? webhook.enabled_events,
  };
  const changes = changesOf(webhook, wanted);
  if (changes.length === 0) {
    terminal.note('The webhook is already up to date; nothing was changed.');
    return showWebhook(session, webhook, options);
  }
  await input.confirm(`Update webhook ${webhook.id}?\n${changes.join('\n')}`, options);
  const updated = await service.call((client) => client.updateWebhook(webhook.id, wanted));
  return showWebhook(session, updated, options);
}

export async function deleteWebhook(session: Session, id: string, options: CommonOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const service = await openPaymentService(session, options);
  const webhook = await webhookOf(session, service, id);
  const events = printable(webhook.enabled_events.join(', '), 200);
  const mode = webhook.is_live_mode ? 'live' : 'sandbox';
  const about = `${printable(webhook.url, 200)} (${mode}) gets no more ${events}`;
  await input.confirm(`Delete webhook ${webhook.id}? ${about}.`, options);
  await service.call((client) => client.deleteWebhook(webhook.id));
  if (options.json) terminal.json(webhook.record);
  else terminal.print(`Deleted ${webhook.id}.`);
  return exitCodes.done;
}

function changesOf(webhook: Webhook, wanted: WebhookRegistration): readonly string[] {
  const shown = (text: string): string => printable(text, 200);
  const [before, after] = [webhook.enabled_events, wanted.enabled_events];
  const added = after.filter((name) => !before.includes(name)).map((name) => `+${name}`);
  const removed = before.filter((name) => !after.includes(name)).map((name) => `-${name}`);
  return [
    ...(webhook.url === wanted.url ? [] : [`  URL     ${shown(webhook.url)} → ${shown(wanted.url)}`]),
    ...(added.length + removed.length === 0 ? [] : [`  events  ${shown([...added, ...removed].join(' '))}`]),
  ];
}
