import type { AlarmState } from '../aws/alarm-states.ts';
import { deployCommandOf, outputOf } from '../target/stack.ts';
import { type CheckResult, counted, failed, passed, skipped } from './check-result.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, isLocal, notInLocalMode, revertDriftOf } from './deployment.ts';

/** Whether a fault would be noticed: every alarm is enabled, none fires, and the topic has a subscriber. */
export async function checkAlarms(runner: CheckRunner, deployment: Deployment): Promise<void> {
  let alarms: readonly AlarmState[] | undefined;
  const run = (name: string, check: () => Promise<CheckResult> | CheckResult) =>
    runner.run(name, () =>
      isLocal(deployment) ? skipped(`${notInLocalMode('CloudWatch')}; see its GET /alarms`) : check(),
    );
  await run('alarms are enabled', async () => {
    const { describeAlarmNames } = await import('../aws/stacks.ts');
    const names = await describeAlarmNames(deployment.stack.name);
    const { describeAlarms } = await import('../aws/alarm-states.ts');
    alarms = await describeAlarms(names);
    return enabledResult(deployment, names, alarms);
  });
  await run('alarms are quiet', () =>
    alarms === undefined ? skipped('the alarms could not be read') : quietResult(deployment, alarms),
  );
  await run('alarm subscription', () => subscriptionResult(deployment));
}

function enabledResult(
  deployment: Deployment,
  names: readonly string[],
  alarms: readonly AlarmState[],
): CheckResult {
  const { stack } = deployment;
  const topicArn = outputOf(stack, 'AlarmTopicArn');
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
    ["do not notify the stack's topic", namesWhere(({ actions }) => !actions.includes(topicArn))],
  ].filter(([, faulty]) => faulty !== '');
  if (faults.length === 0) {
    return passed(`the stack has ${counted(names.length, 'alarm')}, and each notifies its topic`);
  }
  return failed(faults.map((fault) => fault.join(': ')).join('; '), revertDriftOf(deployment));
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

async function subscriptionResult({ stack }: Deployment): Promise<CheckResult> {
  const topic = outputOf(stack, 'AlarmTopicArn');
  const { listSubscriptions } = await import('../aws/alarm-states.ts');
  const subscriptions = await listSubscriptions(topic);
  const confirmed = subscriptions.filter(({ isConfirmed }) => isConfirmed);
  const pending = subscriptions.length - confirmed.length;
  if (confirmed.length > 0) {
    const protocols = [...new Set(confirmed.map(({ protocol }) => protocol))].join(', ');
    const rest = pending === 0 ? '' : `; ${pending} not confirmed`;
    return passed(
      `the alarm topic has ${counted(confirmed.length, 'confirmed subscription')} (${protocols})${rest}`,
    );
  }
  if (pending > 0) {
    return failed(
      `the alarm topic has ${counted(pending, 'subscription')}, and none is confirmed`,
      'follow the link in the message "AWS Notification - Subscription Confirmation" (check the spam folder)',
      'to send that message again: aws sns subscribe with the same address',
    );
  }
  return failed(
    'the alarm topic has no subscription, so alarms notify no one',
    `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint YOU@example.com`,
    `or set alarmEmail in cdk.json and run ${deployCommandOf(stack)}; then follow the link in the message`,
  );
}
