import {
  auditRegistrations,
  type ExpectedRegistration,
  isSameUrl,
} from '../../lambdas/webhook-audit/audit.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { nextCommand, outputOf } from '../../operator/stack/stack.ts';
import { openPaymentService } from '../payment-service.ts';
import { type CommonOptions, type Session, show } from '../session.ts';
import { printTable, readWebhooks, showResult } from './listing.ts';

export interface RegistrationOptions extends CommonOptions {
  readonly url?: string;
  readonly events?: readonly string[];
}

/** Checks first: a second registration of a URL would deliver every event twice. */
export async function registerWebhook(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { service, expected, webhooks, issues } = await auditTarget(session, options);
  const { url, requiredEvents } = expected;
  if (issues.some(({ kind }) => kind === 'not_registered' || kind === 'not_live')) {
    const wanted = { url, enabled_events: requiredEvents, is_live_mode: true };
    const result = await service.call((client) => client.createWebhook(wanted));
    const code = showResult(session, options, { wanted, result });
    // Such as the address that the API had before the stack got a domain.
    const { pathname } = new URL(url);
    for (const { id, url: text, is_live_mode: isLive } of webhooks) {
      const other = URL.parse(text);
      if (!isLive || other?.pathname !== pathname) continue;
      terminal.note(`${other} is registered, too. If it leads to the same stack, each event arrives twice:`);
      terminal.note(`  ${await commandFor(session, ['webhooks', 'delete', id], options)}`);
    }
    return code;
  }
  const unusable = issues.find(({ kind }) => kind === 'event_missing' || kind === 'registration_unreadable');
  if (unusable !== undefined) {
    terminal.note(`${unusable.detail} Nothing was registered; the next command is:`);
    terminal.note(`  ${await commandFor(session, unusable.fix, options)}`);
    return exitCodes.failed;
  }
  terminal.note(`${url} is already registered, live, for ${requiredEvents.join(', ')}.`);
  if (issues.length > 0) terminal.note('It is registered more than once; see: payhooks webhooks audit');
  const ours = webhooks.filter((webhook) => webhook.is_live_mode && isSameUrl(webhook.url, url));
  return show(session, options, {
    document: ours[0]?.record ?? null,
    print: () => printTable(session, ours),
  });
}

export async function auditWebhooks(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { expected, issues } = await auditTarget(session, options);
  const found = await Promise.all(
    issues.map(async ({ kind, detail, fix }) => {
      return { kind, detail, command: await commandFor(session, fix, options) };
    }),
  );
  return show(session, options, {
    document: found,
    print() {
      const events = expected.requiredEvents.join(', ');
      if (found.length === 0)
        terminal.print(terminal.style('green', `${expected.url} is registered, live, for ${events}.`));
      for (const { detail, command } of found)
        terminal.print(`${terminal.style('red', detail)}\n  ${command}`);
    },
    exitCode: found.length === 0 ? exitCodes.done : exitCodes.failed,
  });
}

async function auditTarget(session: Session, options: RegistrationOptions) {
  const expected = await expectedOf(session, options);
  const service = await openPaymentService(session, options);
  const rows = await readWebhooks(session, service);
  const { webhooks } = rows;
  return { service, expected, webhooks, issues: auditRegistrations(rows, expected) };
}

async function expectedOf(session: Session, options: RegistrationOptions): Promise<ExpectedRegistration> {
  const { url, events } = options;
  if (url !== undefined && events !== undefined) return { url, requiredEvents: events };
  const stack = await session.stack(options);
  return {
    url: url ?? outputOf(stack, 'WebhookUrl'),
    requiredEvents: events ?? outputOf(stack, 'RequiredEvents').split(','),
  };
}

/** The command that fixes an issue, for the same target. */
async function commandFor(
  session: Session,
  fix: readonly string[],
  options: RegistrationOptions,
): Promise<string> {
  const { url, events } = options;
  const given = [...(url ? ['--url', url] : []), ...(events ? ['--events', events.join(',')] : [])];
  const words = ['payhooks', ...fix, ...(fix[1] === 'register' ? given : [])];
  const command = words.map(shellQuoted).join(' ');
  // With both options the command needs no stack.
  return url !== undefined && events !== undefined
    ? `npx ${command}`
    : nextCommand(await session.stack(options), command);
}
