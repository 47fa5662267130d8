import { EventNotFoundError } from '@payhooks/order-client';
import { historyZoneSecondsMax } from '../../lambdas/contract/reconcile-limits.ts';
import { isSameUrl } from '../../lambdas/webhook-audit/audit.ts';
import { readHistory } from '../../lambdas/webhook-audit/history.ts';
import { deliveredEvents, reconcile } from '../../lambdas/webhook-audit/reconcile.ts';
import { openOperations } from '../../operator/apis.ts';
import { historyPagesMax, reconcileSinceMilliseconds } from '../../operator/limits.ts';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import { openPaymentService } from '../payment-service.ts';
import { type Session, show } from '../session.ts';
import { pastTime, refuseEmptySpan, type SpanOptions } from '../times.ts';
import { allWebhooks } from '../webhooks/listing.ts';
import { documentOf, printReport, type Report } from './report.ts';
import { findUnknown, findWhereabouts } from './whereabouts.ts';

export function define({ command, action }: CommandSetup): void {
  command
    .option('--since <time>', 'from this time on (default: the last 24 hours)', pastTime)
    .option('--until <time>', 'until this time (default: now)', pastTime)
    .addHelpText(
      'after',
      `
Compares the payment service's history with what is stored, both ways; for stored events that it never sent
it reads the table of events. The first line answers whether anything was lost; the exit code is 1 if so, or
if an event is unknown to the payment service. Needs execute-api:Invoke on
the output OperationsInvokeArn, secretsmanager:GetSecretValue on TokenSecretArn with OAuth, otherwise on
KeySecretArn; dynamodb:Scan on EventsTableName; to recognise dead letters, what payhooks dlq list needs.
${examplesOf('reconcile', 'reconcile --since "yesterday 14:00" --until "yesterday 15:00"')}`,
    )
    .action(action(reconcileDeliveries));
}

export async function reconcileDeliveries(session: Session, options: SpanOptions): Promise<ExitCode> {
  const { terminal, now } = session;
  const { since = now() - reconcileSinceMilliseconds, until = now() } = options;
  refuseEmptySpan(since, until);
  const stack = await session.stack(options);
  const url = outputOf(stack, 'WebhookUrl');
  const service = await openPaymentService(session, options);
  const all = await allWebhooks(session, service);
  const webhooks = all.filter((webhook) => isSameUrl(webhook.url, url));
  if (webhooks.length === 0) {
    const message = `${url} is not registered, so there is no history of it. See: payhooks webhooks audit`;
    throw new CommandError('failed', message);
  }
  const window = {
    ...{ since, until, pagesMax: historyPagesMax },
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
    acknowledgedUntil: until,
    onProgress: (lookedUp, of) => terminal.progress(`Looking up the events, ${lookedUp} of ${of} …`),
  });
  const zone = historyZoneSecondsMax * 1_000;
  const wide = { ...window, since: since - zone, until: until + zone };
  const { unknown, isJudged } = await findUnknown(session, stack, {
    ...{ since, until, webhooks, history },
    readMore: () => service.call((client) => readHistory(client, all, wide)),
  });
  const report: Report = {
    ...{ since, until, unknown, isJudged, stored, givenUp, unreadable, isComplete },
    ...(await findWhereabouts(session, stack, missing)),
    retrying: events.filter(({ state }) => state === 'retrying'),
  };
  const document = documentOf(report);
  return show(session, options, {
    document,
    print: () => printReport(terminal, document),
    exitCode:
      report.missing.length + givenUp.length + unknown.length + unreadable === 0
        ? exitCodes.done
        : exitCodes.failed,
  });
}
