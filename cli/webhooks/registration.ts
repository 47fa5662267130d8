import {
  auditRegistrations,
  type ExpectedRegistration,
  fixCommand,
  type RegistrationIssue,
} from '../../lambdas/webhook-audit/audit.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { openPaymentService } from '../payment-service.ts';
import { shellQuoted } from '../printable.ts';
import type { CommonOptions, Session } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import { createTarget, type Target } from '../target/target.ts';
import { allWebhooks, tellWebhooks } from './listing.ts';

interface RegistrationOptions extends CommonOptions {
  readonly url?: string;
  readonly events?: readonly string[];
}

/** Looks first: a second registration of one URL would deliver every event twice. */
export async function registerWebhook(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const target = createTarget(session, options);
  const expected = await expectedOf(target, options);
  const service = await openPaymentService(session, target, options);
  const webhooks = await allWebhooks(session, service);
  const findings = auditRegistrations(webhooks, expected);
  if (findings.some(({ kind }) => kind === 'not_registered' || kind === 'not_live')) {
    const { url, requiredEvents } = expected;
    const created = await service.call((client) =>
      client.createWebhook({ url, enabled_events: requiredEvents }),
    );
    if (options.json) terminal.json(created.record);
    else tellWebhooks(session, [created]);
    return exitCodes.done;
  }
  const incomplete = findings.find(({ kind }) => kind === 'event_missing');
  if (incomplete !== undefined) {
    terminal.tell(`${incomplete.detail} Nothing was registered; add them with:`);
    terminal.tell(`  ${await commandFor(session, target, { finding: incomplete, options })}`);
    return exitCodes.failed;
  }
  terminal.tell(`${expected.url} is registered already, live and for all of these events.`);
  if (findings.length > 0) terminal.tell('It is registered more than once: payhooks webhooks audit');
  const ours = webhooks.filter(({ url, is_live_mode }) => is_live_mode && isSame(url, expected.url));
  if (options.json) terminal.json(ours[0]?.record ?? null);
  else tellWebhooks(session, ours);
  return exitCodes.done;
}

export async function auditWebhooks(session: Session, options: RegistrationOptions): Promise<ExitCode> {
  const { terminal } = session;
  const target = createTarget(session, options);
  const expected = await expectedOf(target, options);
  const service = await openPaymentService(session, target, options);
  const found = auditRegistrations(await allWebhooks(session, service), expected);
  const findings: { kind: string; detail: string; command: string }[] = [];
  for (const finding of found) {
    const { kind, detail } = finding;
    findings.push({ kind, detail, command: await commandFor(session, target, { finding, options }) });
  }
  if (options.json) {
    terminal.json(findings);
  } else if (findings.length === 0) {
    const events = expected.requiredEvents.join(', ');
    terminal.print(terminal.style('green', `${expected.url} is registered, live, for ${events}.`));
  }
  for (const { detail, command } of options.json ? [] : findings) {
    terminal.print(terminal.style('red', detail));
    terminal.print(`  ${command}`);
  }
  return findings.length === 0 ? exitCodes.done : exitCodes.failed;
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

/** The command that mends a finding, for the same target. */
async function commandFor(
  session: Session,
  target: Target,
  { finding, options }: { readonly finding: RegistrationIssue; readonly options: RegistrationOptions },
): Promise<string> {
  const { url, events } = options;
  // What was given in place of the stack's settings belongs to the command that registers.
  const own =
    finding.fix[1] === 'register'
      ? [
          ['--url', url],
          ['--events', events?.join(',')],
        ]
      : [];
  const fix = [...finding.fix, ...own.filter(([, value]) => value !== undefined).flat()] as string[];
  const stack = url !== undefined && events !== undefined ? undefined : await target.stack();
  if (stack !== undefined && stack.localUrl === undefined) return fixCommand({ fix }, stack.name);
  const isElsewhere = stack?.localUrl !== undefined && stack.localUrl !== session.defaultLocalUrl;
  const where = isElsewhere ? ['--local', stack.localUrl ?? ''] : [];
  return ['npx', 'payhooks', ...fix, ...where].map(shellQuoted).join(' ');
}
