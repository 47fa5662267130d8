import { alarmGuide } from '../../lambdas/contract/alarm-guide.ts';
import type { AlarmState } from '../../operator/aws/alarm-states.ts';
import { type CheckResult, counted, failed, passed, skipped } from '../../operator/check-result.ts';
import { deployCommandOf, outputOf, revertDriftOf, type Stack } from '../../operator/stack/stack.ts';
import { type CheckRunner, type Deployment, notInLocalMode } from './check-runner.ts';

/** Whether a fault would be noticed: every alarm is enabled, none fires, and the topic has a subscriber. */
export async function checkAlarms(runner: CheckRunner, deployment: Deployment): Promise<void> {
  let alarms: readonly AlarmState[] | undefined;
  const run = (name: string, check: () => Promise<CheckResult> | CheckResult) =>
    runner.run(name, () =>
      deployment.stack.localUrl !== undefined
        ? skipped(`${notInLocalMode('CloudWatch')}; see its GET /alarms`)
        : check(),
    );
  await run('alarms are enabled', async () => {
    const { describeAlarmNames } = await import('../../operator/aws/stacks.ts');
    const names = await describeAlarmNames(deployment.stack.name);
    const { describeAlarms } = await import('../../operator/aws/alarm-states.ts');
    alarms = await describeAlarms(names);
    return enabledResult(deployment, names, alarms);
  });
  await run('alarms are quiet', () =>
    alarms === undefined ? skipped('the alarms could not be read') : quietResult(deployment, alarms),
  );
  await run('alarm subscription', () => subscriptionResult(deployment, 'AlarmTopicArn'));
  if (!deployment.stack.outputs['TicketTopicArn']) return;
  await run('ticket subscription', () => subscriptionResult(deployment, 'TicketTopicArn'));
}

/** What an alarm notifies: with `ticketTopicArn`, those that can wait have a separate topic. */
function topicOf(stack: Stack, alarmName: string): string {
  const pages = outputOf(stack, 'AlarmTopicArn');
  const guide = new Map<string, { readonly severity: string }>(Object.entries(alarmGuide));
  const { severity = 'now' } = guide.get(alarmName.replace(`${stack.name}-`, '')) ?? {};
  return severity === 'now' ? pages : (stack.outputs['TicketTopicArn'] ?? pages);
}

function enabledResult(
  deployment: Deployment,
  names: readonly string[],
  alarms: readonly AlarmState[],
): CheckResult {
  const { stack } = deployment;
  if (names.length === 0) return failed('the stack has no alarms', deployCommandOf(stack));
  const namesWhere = (isFaulty: (alarm: AlarmState) => boolean): string =>
    alarms
      .filter(isFaulty)
      .map(({ name }) => name)
      .join(', ');
  const found = new Set(alarms.map(({ name }) => name));
  const faults = [
    ['deleted by hand', names.filter((name) => !found.has(name)).join(', ')],
    ['actions are disabled', namesWhere(({ actionsEnabled }) => !actionsEnabled)],
    ['do not notify their topic', namesWhere(({ name, actions }) => !actions.includes(topicOf(stack, name)))],
  ].filter(([, faulty]) => faulty !== '');
  if (faults.length === 0) {
    return passed(`the stack has ${counted(names.length, 'alarm')}, and each notifies its topic`);
  }
  return failed(faults.map((fault) => fault.join(': ')).join('; '), revertDriftOf(deployment.stack));
}

function quietResult({ stack }: Deployment, alarms: readonly AlarmState[]): CheckResult {
  const firing = alarms.filter(({ state }) => state === 'ALARM').map(({ name }) => name);
  if (firing.length === 0) {
    const undecided = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
    const rest = undecided === 0 ? '' : `; ${undecided} have no data yet`;
    return passed(`none of ${counted(alarms.length, 'alarm')} is firing${rest}`);
  }
  const sections = firing.map((name) => name.replace(`${stack.name}-`, '').toLowerCase());
  return failed(
    `${firing.join(', ')} ${firing.length === 1 ? 'is' : 'are'} firing`,
    ...sections.map((section) => `docs/runbook.md#${section}`),
  );
}

async function subscriptionResult(
  { stack }: Deployment,
  output: 'AlarmTopicArn' | 'TicketTopicArn',
): Promise<CheckResult> {
  const topic = outputOf(stack, output);
  const called = output === 'AlarmTopicArn' ? 'the alarm topic' : 'the ticket topic';
  const { listSubscriptions } = await import('../../operator/aws/alarm-states.ts');
  const subscriptions = await listSubscriptions(topic);
  const confirmed = subscriptions.filter(({ isConfirmed }) => isConfirmed);
  const pending = subscriptions.length - confirmed.length;
  if (confirmed.length > 0) {
    const protocols = [...new Set(confirmed.map(({ protocol }) => protocol))].join(', ');
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
