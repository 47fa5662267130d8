import { EventNotFoundError } from '@payhooks/order-client';
import { isSameUrl } from '../../lambdas/webhook-audit/audit.ts';
import { readHistory } from '../../lambdas/webhook-audit/history.ts';
import { deliveredEvents, reconcile } from '../../lambdas/webhook-audit/reconcile.ts';
import { openOperations } from '../../operator/apis.ts';
import { historyPagesMax, reconcileSinceMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf, isoTime } from '../options.ts';
import { openPaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { createTarget } from '../target/target.ts';
import { allWebhooks } from '../webhooks/listing.ts';
import { documentOf, printReport, type Report } from './report.ts';
import { findWhereabouts } from './whereabouts.ts';

interface ReconcileOptions extends CommonOptions {
  /** Milliseconds since the epoch. */
  readonly since?: number;
}

export function define({ command, action }: CommandSetup): void {
  command
    .option('--since <time>', 'from this time on (default: the last 24 hours)', isoTime)
    .addHelpText(
      'after',
      `
Finds what was acknowledged and is stored nowhere, what the payment service has given up on, and what it still
retries. Needs execute-api:Invoke on the output OperationsInvokeArn, and secretsmanager:GetSecretValue on
TokenSecretArn with OAuth, otherwise KeySecretArn; to recognise dead letters, what payhooks dlq list needs.
${examplesOf('reconcile', 'reconcile --since 2026-11-20T00:00:00Z --json')}`,
    )
    .action(action(reconcileDeliveries));
}

async function reconcileDeliveries(session: Session, options: ReconcileOptions): Promise<ExitCode> {
  const { terminal, now } = session;
  const target = createTarget(session, options);
  const stack = await target.stack();
  const url = outputOf(stack, 'WebhookUrl');
  const service = await openPaymentService(session, options, target);
  const webhooks = (await allWebhooks(session, service)).filter((webhook) => isSameUrl(webhook.url, url));
  if (webhooks.length === 0) {
    const message = `${url} is not registered, so there is no history of it. See: payhooks webhooks audit`;
    throw new CommandError('failed', message);
  }
  const since = options.since ?? now() - reconcileSinceMilliseconds;
  const window = {
    ...{ since, until: now(), pagesMax: historyPagesMax },
    onPage: (id: string, page: number, last: number) =>
      terminal.progress(`Reading the history of ${id}, page ${page} of ${last} …`),
  };
  const history = await service.call((client) => readHistory(client, webhooks, window));
  const { unreadable, isComplete } = history;
  const events = deliveredEvents(history.attempts);
  const operations = openOperations(stack);
  const { missing, givenUp, stored } = await reconcile(events, {
    isStored: (mode, eventId) =>
      operations.event(eventId, { mode }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof EventNotFoundError) return false;
          throw error;
        },
      ),
    acknowledgedUntil: now(),
    onProgress: (lookedUp, of) => terminal.progress(`Looking up the events, ${lookedUp} of ${of} …`),
  });
  const report: Report = {
    ...{ since, stored, givenUp, unreadable, isComplete },
    ...(await findWhereabouts(session, stack, missing)),
    retrying: events.filter(({ state }) => state === 'retrying'),
  };
  const document = documentOf(report);
  return show(session, options, {
    document,
    print: () => printReport(terminal, document),
    exitCode: report.missing.length + givenUp.length + unreadable === 0 ? exitCodes.done : exitCodes.failed,
  });
}
