import type { AlarmState } from '../aws/alarm-states.ts';
import type { DeployedResource } from '../aws/stack-state.ts';
import { deployCommandOf, outputOf } from '../target/stack.ts';
import { type CheckResult, counted, failed, passed, skipped } from './check-result.ts';
import type { CheckRunner } from './check-runner.ts';
import { type Deployment, isLocal, notInLocalMode, revertDriftOf } from './deployment.ts';

const alarmTypes = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'];

/** Whether somebody would learn of a fault: the alarms are there and armed, none rings, and one is told. */
export async function checkAlarms(runner: CheckRunner, deployment: Deployment): Promise<void> {
  let alarms: readonly AlarmState[] | undefined;
  const ask = (look: () => Promise<CheckResult> | CheckResult) => () =>
    isLocal(deployment) ? skipped(`${notInLocalMode('CloudWatch')}; GET /alarms shows its alarms`) : look();
  await runner.run(
    'alarms are armed',
    ask(async () => {
      const { openStackState } = await import('../aws/stack-state.ts');
      const names = alarmNames(await openStackState(deployment.stack.name).resources());
      const { describeAlarms } = await import('../aws/alarm-states.ts');
      alarms = await describeAlarms(names);
      return armedResult(names, alarms, deployment);
    }),
  );
  await runner.run(
    'alarms are quiet',
    ask(() =>
      alarms === undefined ? skipped('the alarms could not be read') : quietResult(alarms, deployment),
    ),
  );
  await runner.run(
    'somebody is told',
    ask(() => subscriptionResult(deployment)),
  );
}

const alarmNames = (resources: readonly DeployedResource[]): readonly string[] =>
  resources.filter(({ type }) => alarmTypes.includes(type)).map(({ physicalId }) => physicalId);

function armedResult(
  names: readonly string[],
  alarms: readonly AlarmState[],
  deployment: Deployment,
): CheckResult {
  const topicArn = outputOf(deployment.stack, 'AlarmTopicArn');
  if (names.length === 0)
    return failed('the stack has no alarms: nobody learns of a fault', deployCommandOf(deployment.stack));
  const byName = new Map(alarms.map((alarm) => [alarm.name, alarm]));
  const missing = names.filter((name) => !byName.has(name));
  const disabled = alarms.filter(({ actionsEnabled }) => !actionsEnabled).map(({ name }) => name);
  const silent = alarms.filter(({ actions }) => !actions.includes(topicArn)).map(({ name }) => name);
  const faults = [
    missing.length > 0 && `deleted by hand: ${missing.join(', ')}`,
    disabled.length > 0 && `actions are off: ${disabled.join(', ')}`,
    silent.length > 0 && `do not tell the topic of the stack: ${silent.join(', ')}`,
  ].filter((fault) => fault !== false);
  if (faults.length === 0)
    return passed(`${counted(names.length, 'alarm')} of the stack, each tells its topic`);
  return failed(faults.join('; '), revertDriftOf(deployment));
}

function quietResult(alarms: readonly AlarmState[], { stack }: Deployment): CheckResult {
  const ringing = alarms.filter(({ state }) => state === 'ALARM').map(({ name }) => name);
  const undecided = alarms.filter(({ state }) => state === 'INSUFFICIENT_DATA').length;
  if (ringing.length === 0) {
    const rest = undecided === 0 ? '' : `; ${undecided} have no data so far`;
    return passed(`none of ${counted(alarms.length, 'alarm')} rings${rest}`);
  }
  const anchors = ringing.map((name) => {
    const section = name.startsWith(`${stack.name}-`) ? name.slice(stack.name.length + 1) : name;
    return `docs/runbook.md#${section.toLowerCase()}`;
  });
  return failed(`${ringing.join(', ')} ${ringing.length === 1 ? 'rings' : 'ring'}`, ...anchors);
}

async function subscriptionResult({ stack }: Deployment): Promise<CheckResult> {
  const topic = outputOf(stack, 'AlarmTopicArn');
  const { listSubscriptions } = await import('../aws/alarm-states.ts');
  const subscriptions = await listSubscriptions(topic);
  const confirmed = subscriptions.filter(({ isConfirmed }) => isConfirmed);
  const pending = subscriptions.length - confirmed.length;
  if (confirmed.length > 0) {
    const kinds = [...new Set(confirmed.map(({ protocol }) => protocol))].join(', ');
    const rest = pending === 0 ? '' : `; ${pending} not confirmed`;
    return passed(
      `the alarm topic has ${counted(confirmed.length, 'confirmed subscription')} (${kinds})${rest}`,
    );
  }
  if (pending > 0) {
    return failed(
      `${counted(pending, 'subscription')} to the alarm topic, and none is confirmed: nobody is told`,
      'open the message "AWS Notification - Subscription Confirmation" and follow its link (look under spam)',
      'it is sent again by: aws sns subscribe with the same address',
    );
  }
  return failed(
    'nobody has subscribed to the alarm topic: nobody is told',
    `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint YOU@example.com`,
    `or alarmEmail in cdk.json and ${deployCommandOf(stack)}; then follow the link in the message`,
  );
}
