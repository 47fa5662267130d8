import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { ClientCertificate } from '../../lambdas/contract/client-certificate.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type CheckResult, counted, failed, passed } from '../../operator/check-result.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { readEntries, rowOf } from '../../operator/keys.ts';
import { sendMilliseconds } from '../../operator/limits.ts';
import { CommandError } from '../../operator/operator-error.ts';
import type { Fault } from '../../operator/safeguards/safeguard.ts';
import {
  deployCommandOf,
  nextCommand,
  outputOf,
  type Stack,
  settingPlaceOf,
} from '../../operator/stack/stack.ts';
import { listAlarms } from '../../operator/status/alarms.ts';
import { isAccepted, post, type WebhookResponse } from '../send/post.ts';

/** Whether the latest deployment succeeded. */
export function stackResult(stack: Stack): CheckResult {
  const { name, outputs, status = '' } = stack;
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE/.test(status)) {
    return passed(`${name} is ${status} with its ${Object.keys(outputs).length} outputs`);
  }
  if (/_IN_PROGRESS/.test(status)) {
    return failed(`${name} is ${status}`, 'wait until the deployment has finished, then run it again');
  }
  const events = `aws cloudformation describe-stack-events --stack-name ${name}`;
  return failed(`${name} is ${status}`, `${events}; then ${deployCommandOf(stack)}`);
}

/** Whether a live webhook can be verified. */
export async function liveKeyResult(stack: Stack, now: number): Promise<CheckResult> {
  const entries = await readEntries(stack);
  const live = entries
    .map((entry) => rowOf(entry, now))
    .filter(({ mode, state }) => mode === 'live' && state !== 'expired');
  if (live.length > 0) {
    return passed(`the key secret holds ${live.map(({ id, state }) => `${id} (${state})`).join(', ')}`);
  }
  const what = entries.length === 0 ? 'no key, so every webhook gets a 503' : 'no accepted live key';
  return failed(`the key secret holds ${what}`, nextCommand(stack, 'payhooks keys set'));
}

/** Whether the OAuth token of a stack is valid. */
export async function tokenResult(stack: Stack, now: number): Promise<CheckResult> {
  const set = nextCommand(stack, 'payhooks token set');
  const refresh = `${nextCommand(stack, 'payhooks token refresh')}; docs/runbook.md#rotationfailed`;
  const { openStackToken } = await import('../../operator/aws/token-rotation.ts');
  const token = await openStackToken(stack).readTokens();
  if (token === undefined) return failed('the token secret has no value, so no audit can run', set);
  const { accessToken, expiresAt } = token;
  if (accessToken === undefined) return failed('the token was never renewed', refresh);
  const when = expiresAt === undefined ? 'an unknown time' : new Date(expiresAt).toISOString();
  const isExpired = expiresAt !== undefined && expiresAt <= now;
  if (isExpired) return failed(`the access token expired at ${when}`, refresh);
  return passed(`the access token is valid until ${when}`);
}

/** Whether anything was changed by hand. */
export function inspectionResult(stack: Stack, faults: readonly Fault[]): CheckResult {
  if (faults.length === 0) return passed('everything is as it was deployed');
  const isRepairable = faults.some(({ repair }) => repair !== undefined);
  const fixes = faults.flatMap(({ fix }) => fix ?? []);
  return failed(
    faults.map(({ message }) => message).join('; '),
    ...new Set([...(isRepairable ? [nextCommand(stack, 'payhooks repair')] : []), ...fixes]),
  );
}

export async function firingResult(stack: Stack): Promise<CheckResult> {
  const alarms = await listAlarms(stack);
  const firing = alarms.filter(({ state }) => state === 'ALARM');
  if (firing.length === 0) return passed(`none of ${counted(alarms.length, 'alarm')} is firing`);
  const names = firing.map(({ alarm }) => alarm).join(', ');
  return failed(
    `${names} ${firing.length === 1 ? 'is' : 'are'} firing`,
    ...firing.map(({ runbook }) => runbook),
  );
}

/** Whether someone is notified. */
export async function subscriptionResult(stack: Stack, output: string, called: string): Promise<CheckResult> {
  const topic = outputOf(stack, output);
  const { listSubscriptions } = await import('../../operator/aws/alarm-states.ts');
  const { confirmed, pending } = await listSubscriptions(topic);
  if (confirmed.length > 0) {
    const protocols = [...new Set(confirmed)].join(', ');
    const rest = pending === 0 ? '' : `; ${pending} not confirmed`;
    return passed(
      `${called} has ${counted(confirmed.length, 'confirmed subscription')} (${protocols})${rest}`,
    );
  }
  if (pending > 0) {
    return failed(
      `${called} has ${counted(pending, 'subscription')}, and none is confirmed`,
      'follow the link in the message "AWS Notification - Subscription Confirmation" (check the spam folder)',
      'to send that message again: aws sns subscribe with the same address',
    );
  }
  return failed(
    `${called} has no subscription, so alarms notify no one`,
    `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint YOU@example.com`,
    `or, if the topic is the stack's own: set alarmEmail ${settingPlaceOf(stack)} and run ${deployCommandOf(stack)}; ` +
      'then follow the link in the message',
  );
}

/** Runs a check; rejects only when the credentials were refused, which ends the whole command. */
export type RunCheck = (name: string, check: () => Promise<CheckResult>) => Promise<void>;

/** A well-formed key that the stack does not have, so that only the comparison can refuse it. */
const foreignKey = 'pri_sandbox_foreign';
const threats = 'docs/threat-model.md';
const orderId = 'payhooks-smoke';

/** Forgeries must be refused, and all refusals must look alike. */
export async function checkForgeries(
  run: RunCheck,
  stack: Stack,
  clientCertificate: ClientCertificate | undefined,
): Promise<void> {
  const body = bytesOf(paidEvent({ orderId, sandbox: true }));
  let first: WebhookResponse | undefined;
  for (const name of ['missing signature', 'foreign signature']) {
    await run(name, async () => {
      const signature = sign(createSigningKey(foreignKey), body);
      const headers = {
        'content-type': 'application/json',
        ...(name === 'foreign signature' && { [outputOf(stack, 'SignatureHeader')]: signature }),
      };
      const url = new URL(outputOf(stack, 'WebhookUrl'));
      const refusal = await post({ url, body, headers, clientCertificate });
      first ??= refusal;
      return refusalResult(`a webhook with a ${name} gets a ${refusal.status}`, refusal, first);
    });
  }
}

function refusalResult(got: string, { status, body }: WebhookResponse, first: WebhookResponse): CheckResult {
  if (isAccepted(status)) return failed(`${got}: anyone can forge a payment`, threats);
  if (status !== 403) {
    const fix = 'check that the output WebhookUrl is the address of the verifier';
    return failed(`${got}, expected 403`, `docs/runbook.md#webhookservererrors; ${fix}`);
  }
  if (body === first.body) return passed(got);
  return failed(`${got} with the body ${body}, the first refusal had ${first.body}`, threats);
}

/** A query without a signature must be refused. */
export async function unsignedResult(stack: Stack): Promise<CheckResult> {
  const url = `${outputOf(stack, 'OrderQueryUrl')}/orders/${orderId}?mode=sandbox`;
  const signal = AbortSignal.timeout(sendMilliseconds);
  const { status } = await fetch(url, { redirect: 'manual', signal }).catch((cause: unknown) => {
    throw new CommandError('unreachable', `${url} did not respond: ${reasonOf(cause)}.`, { cause });
  });
  if (status === 403) return passed('an unsigned request gets a 403');
  return failed(
    `an unsigned request gets a ${status}, expected 403: anyone can read orders`,
    `${deployCommandOf(stack)}; docs/threat-model.md`,
  );
}
