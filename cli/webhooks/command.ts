import type { DeliveryAttempt, PaymentServiceClient } from '@payhooks/payment-service';
import type { Command } from 'commander';
import { timeOf } from '../../lambdas/webhook-audit/history.ts';
import { historyPagesMax } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { printable } from '../../operator/printable.ts';
import { type CommandSetup, eventNames, examplesOf, httpUrl, yesOption } from '../options.ts';
import { openPaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { pastTime, type SpanOptions } from '../times.ts';
import {
  changesOf,
  modeOf,
  readWebhooks,
  showResult,
  showWebhook,
  showWebhooks,
  webhookOf,
} from './listing.ts';
import { auditWebhooks, type RegistrationOptions, registerWebhook } from './registration.ts';

export function define({ command: webhooks, action }: CommandSetup): void {
  const addExpected = (command: Command) =>
    command
      .option('--url <url>', "a URL other than the stack's output WebhookUrl", httpUrl)
      .option('--events <names>', "events other than the stack's, separated by commas", eventNames);

  webhooks
    .command('list')
    .description('List all webhooks, the most recent first')
    .addHelpText('after', examplesOf('webhooks list', "webhooks list --json | jq -r '.[].url'"))
    .action(action(listWebhooks));

  addExpected(webhooks.command('register'))
    .description('Register the URL of the stack, unless it is already registered')
    .option('-y, --yes', 'accepted for scripts; register never asks')
    .addHelpText('after', examplesOf('webhooks register', 'webhooks register --events transaction.paid'))
    .action(action(registerWebhook));

  webhooks
    .command('update <id>')
    .description('Change the URL or the events of a webhook (asks first)')
    .option('--url <url>', 'the new URL (default: unchanged)', httpUrl)
    .option('--events <names>', 'all events from now on (default: unchanged)', eventNames)
    .addOption(yesOption)
    .addHelpText('after', examplesOf('webhooks update ID --events transaction.paid,transaction.refunded'))
    .action(action(updateWebhook));

  webhooks
    .command('delete <id>')
    .description('Delete a webhook (asks first)')
    .addOption(yesOption)
    .addHelpText('after', examplesOf('webhooks delete ID', 'webhooks delete ID --yes'))
    .action(action(deleteWebhook));

  webhooks
    .command('history <id>')
    .description('Show each delivery attempt of a webhook')
    .option('--since <time>', 'only attempts at this time or later', pastTime)
    .option('--until <time>', 'only attempts at this time or earlier', pastTime)
    .addHelpText('after', examplesOf('webhooks history ID', 'webhooks history ID --since 2h --json'))
    .action(action(showHistory));

  addExpected(webhooks.command('audit'))
    .description('Check that the URL is registered, live and for all events; exit code 1 if not')
    .option(
      '--since <time>',
      'also compare what was delivered from this time on, as reconcile does',
      pastTime,
    )
    .option('--until <time>', 'the end of that comparison (default: now)', pastTime)
    .addHelpText('after', examplesOf('webhooks audit', 'webhooks audit --since yesterday'))
    .action(action(auditAccount));
}

async function listWebhooks(session: Session, options: CommonOptions): Promise<ExitCode> {
  const service = await openPaymentService(session, options);
  return showWebhooks(session, options, await readWebhooks(session, service));
}

/** Sends unchanged fields too: the API document leaves open whether an update replaces or merges. */
async function updateWebhook(session: Session, id: string, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  if (options.url === undefined && options.events === undefined) {
    throw new CommandError('wrongUsage', 'There is nothing to change: give --url, --events, or both.');
  }
  const service = await openPaymentService(session, options);
  const webhook = await webhookOf(session, service, id);
  const wanted = {
    ...webhook,
    url: options.url ?? webhook.url,
    enabled_events: options.events ?? webhook.enabled_events,
  };
  const changes = changesOf(webhook, wanted);
  if (changes.length === 0) {
    terminal.note('The webhook is already up to date; nothing was changed.');
    return showWebhook(session, options, webhook);
  }
  await input.confirm(`Update webhook ${webhook.id}?\n${changes.join('\n')}`, options);
  const result = await service.call((client) => client.updateWebhook(webhook.id, wanted));
  return showResult(session, options, { wanted, result });
}

async function deleteWebhook(session: Session, id: string, options: CommonOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const service = await openPaymentService(session, options);
  const webhook = await webhookOf(session, service, id);
  const events = printable(webhook.enabled_events.join(', '), 200);
  const about = `${printable(webhook.url, 200)} (${modeOf(webhook)}) gets no more ${events}`;
  await input.confirm(`Delete webhook ${webhook.id}? ${about}.`, options);
  await service.call((client) => client.deleteWebhook(webhook.id));
  return show(session, options, {
    document: webhook.record,
    print: () => terminal.print(`Deleted ${webhook.id}.`),
  });
}

/** The registration, and with a time also what was delivered in it. */
async function auditAccount(session: Session, options: RegistrationOptions & SpanOptions): Promise<ExitCode> {
  if (options.json && (options.since ?? options.until) !== undefined)
    throw new CommandError(
      'wrongUsage',
      'webhooks audit --json prints one document, about the registration, and takes no --since or --until. ' +
        'Run `payhooks reconcile --json` with them for the deliveries.',
    );
  const registration = await auditWebhooks(session, options);
  if (options.since === undefined && options.until === undefined) return registration;
  const { reconcileDeliveries } = await import('../reconcile/command.ts');
  return (await reconcileDeliveries(session, options)) || registration;
}

async function showHistory(session: Session, id: string, options: SpanOptions): Promise<ExitCode> {
  const { terminal } = session;
  const service = await openPaymentService(session, options);
  const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = options;
  const { attempts: all, total } = await service.call((client) => allAttempts(session, client, id));
  const isComplete = all.length >= total;
  if (!isComplete)
    terminal.note(`The history has ${total} attempts, of which ${all.length} were read; run it again.`);
  // One without a time may be of any.
  const attempts = all.filter((attempt) => !(timeOf(attempt) < since) && !(timeOf(attempt) > until));
  return show(session, options, {
    exitCode: isComplete ? exitCodes.done : exitCodes.failed,
    document: attempts.map(({ record }) => record),
    print() {
      if (attempts.length === 0) return terminal.print('There were no delivery attempts.');
      const rows = attempts.map((attempt) => [
        attempt.attempted_at ?? '?',
        attempt.event_name ?? '?',
        attempt.event_id ?? '?',
        String(attempt.attempt ?? '?'),
        String(attempt.response_status ?? 'none'),
        attempt.retry_pending ? 'pending' : '',
      ]);
      terminal.table(['AT', 'EVENT', 'EVENT ID', 'ATTEMPT', 'STATUS', 'RETRY'], rows);
    },
  });
}

/**
 * A new delivery moves older ones to a later page, so some may appear twice. Where the order of equal times
 * changes, some may be left out: then there are fewer than the total.
 */
async function allAttempts(
  { terminal }: Session,
  client: PaymentServiceClient,
  id: string,
): Promise<{ readonly attempts: readonly DeliveryAttempt[]; readonly total: number }> {
  let total = Number.POSITIVE_INFINITY;
  const attempts = new Map<string, DeliveryAttempt>();
  for (let page = 1; page <= historyPagesMax; page += 1) {
    const { data, pagination } = await client.webhookHistory(id, { page, limit: 50 });
    for (const attempt of data) attempts.set(JSON.stringify(attempt.record), attempt);
    // A new attempt need not be read.
    total = Math.min(total, pagination.total);
    if (page >= pagination.last_page) return { attempts: [...attempts.values()], total };
    terminal.progress(`Reading the history, page ${page} of ${pagination.last_page} …`);
  }
  terminal.note(`The history has more than ${historyPagesMax} pages; the rest is not shown.`);
  return { attempts: [...attempts.values()], total: 0 };
}
