import { auditRegistrations, type ExpectedRegistration } from '../../lambdas/webhook-audit/audit.ts';
import type { Finding } from '../../lambdas/webhook-audit/finding.ts';
import { type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import { openPaymentService } from '../payment-service.ts';
import type { CommonOptions, Session } from '../session.ts';
import { createTarget, type Target } from '../target/target.ts';
import { allWebhooks, printWebhooks, showWebhook } from './listing.ts';

interface RegistrationOptions extends CommonOptions {
  readonly url?: string;
  readonly events?: readonly string[];
}

/** Checks first: a second registration of a URL would deliver every event twice. */
export async function registerWebhook(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { target, service, expected, webhooks, issues } = await auditTarget(session, options);
  const { url, requiredEvents } = expected;
  if (issues.some(({ kind }) => kind === 'not_registered' || kind === 'not_live')) {
    const created = await service.call((client) =>
      client.createWebhook({ url, enabled_events: requiredEvents }),
    );
    return showWebhook(session, created, options);
  }
  const incomplete = issues.find(({ kind }) => kind === 'event_missing');
  if (incomplete !== undefined) {
    terminal.note(`${incomplete.detail} Nothing was registered; add it with:`);
    terminal.note(`  ${await commandFor(session, target, { issue: incomplete, options })}`);
    return exitCodes.failed;
  }
  terminal.note(`${url} is already registered, live, for ${requiredEvents.join(', ')}.`);
  if (issues.length > 0) terminal.note('It is registered more than once; see: payhooks webhooks audit');
  const ours = webhooks.filter((webhook) => webhook.is_live_mode && isSame(webhook.url, url));
  if (options.json) terminal.json(ours[0]?.record ?? null);
  else printWebhooks(session, ours);
  return exitCodes.done;
}

export async function auditWebhooks(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const { target, expected, issues } = await auditTarget(session, options);
  const found = await Promise.all(
    issues.map(async (issue) => {
      const { kind, detail } = issue;
      return { kind, detail, command: await commandFor(session, target, { issue, options }) };
    }),
  );
  if (options.json) {
    terminal.json(found);
  } else if (found.length === 0) {
    const events = expected.requiredEvents.join(', ');
    terminal.print(terminal.style('green', `${expected.url} is registered, live, for ${events}.`));
  } else {
    for (const { detail, command } of found) {
      terminal.print(`${terminal.style('red', detail)}\n  ${command}`);
    }
  }
  return found.length === 0 ? exitCodes.done : exitCodes.failed;
}

async function auditTarget(session: Session, options: RegistrationOptions) {
  const target = createTarget(session, options);
  const expected = await expectedOf(target, options);
  const service = await openPaymentService(session, options, target);
  const webhooks = await allWebhooks(session, service);
  return { target, service, expected, webhooks, issues: auditRegistrations(webhooks, expected) };
}

async function expectedOf(
  target: Target,
  { url, events }: RegistrationOptions,
): Promise<ExpectedRegistration> {
  if (url !== undefined && events !== undefined) return { url, requiredEvents: events };
  const stack = await target.stack();
  return {
    url: url ?? outputOf(stack, 'WebhookUrl'),
    requiredEvents: events ?? outputOf(stack, 'RequiredEvents').split(','),
  };
}

const isSame = (a: string, b: string): boolean => URL.parse(a)?.href === URL.parse(b)?.href;

/** The command that fixes an issue, for the same target. */
async function commandFor(
  session: Session,
  target: Target,
  { issue, options }: { readonly issue: Finding; readonly options: RegistrationOptions },
): Promise<string> {
  const { url, events } = options;
  const fix = [...issue.fix];
  if (issue.fix[1] === 'register') {
    if (url !== undefined) fix.push('--url', url);
    if (events !== undefined) fix.push('--events', events.join(','));
  }
  if (url === undefined || events === undefined) {
    const { name, localUrl } = await target.stack();
    if (localUrl === undefined) fix.push('--stack', name);
    else if (localUrl !== session.defaultLocalUrl) fix.push('--local', localUrl);
  }
  return ['npx', 'payhooks', ...fix].map(shellQuoted).join(' ');
}
