import { type AlarmState, describeAlarms } from '../aws/alarm-states.ts';
import { type Deployed, ofType } from '../aws/deployed-resources.ts';
import { deploymentNameOf, outputOf, type Stack } from '../stack/stack.ts';
import { guideOf } from '../status/alarms.ts';
import type { Safeguard } from './safeguard.ts';

/** Whether a fault would be noticed. */
export const alarms: Safeguard = {
  type: 'AWS::CloudWatch::Alarm',
  async inspect(deployed) {
    const { stack } = deployed;
    const wanted = ofType(deployed, 'AWS::CloudWatch::Alarm').map(({ physicalId }) => physicalId);
    const found = await describeAlarms(wanted);
    const known = new Set(found.map(({ name }) => name));
    const faults = [
      ['were deleted', wanted.filter((name) => !known.has(name))],
      ['have another condition', found.flatMap((alarm) => (hasCondition(deployed, alarm) ? [] : alarm.name))],
      ['have disabled actions', found.flatMap(({ name, actionsEnabled }) => (actionsEnabled ? [] : name))],
      [
        'do not notify their topic',
        found.flatMap(({ name, actions }) => (actions.includes(topicOf(stack, name)) ? [] : name)),
      ],
    ] as const;
    return faults
      .filter(([, names]) => names.length > 0)
      .map(([what, names]) => ({ message: `alarms ${what}: ${names.join(', ')}` }));
  },
};

function hasCondition(deployed: Deployed, { name, rule, periods }: AlarmState): boolean {
  const properties = ofType(deployed, 'AWS::CloudWatch::Alarm').find(
    ({ physicalId }) => physicalId === name,
  )?.properties;
  const { Threshold, ComparisonOperator, EvaluationPeriods } = properties ?? {};
  const found = [rule.threshold, rule.comparison, periods];
  return [Threshold, ComparisonOperator, EvaluationPeriods].every(
    (wanted, index) => wanted === undefined || wanted === found[index],
  );
}

/** With `ticketTopicArn`, alarms that can wait have a separate topic. */
function topicOf(stack: Stack, alarmName: string): string {
  const pages = outputOf(stack, 'AlarmTopicArn');
  const { severity } = guideOf(alarmName.replace(`${deploymentNameOf(stack)}-`, ''));
  return severity === 'now' ? pages : (stack.outputs['TicketTopicArn'] ?? pages);
}
