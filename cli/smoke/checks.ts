import { type CheckResult, counted, failed, passed } from '../../operator/check-result.ts';
import { readEntries, rowOf } from '../../operator/keys.ts';
import type { Fault } from '../../operator/safeguards/safeguard.ts';
import { deployCommandOf, nextCommand, outputOf, type Stack } from '../../operator/stack/stack.ts';
import { listAlarms } from '../../operator/status/alarms.ts';

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
  const refresh = `${nextCommand(stack, 'payhooks token refresh')}; docs/runbook.md#tokenrefreshfailed`;
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
    `or, if the topic is the stack's own: set alarmEmail in cdk.json and run ${deployCommandOf(stack)}; ` +
      'then follow the link in the message',
  );
}
