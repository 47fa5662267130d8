import { Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { AlarmName } from '../lambdas/contract/alarm-guide.ts';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { levelGauges, type MetricName } from '../lambdas/contract/metrics.ts';
import { noSuccess } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Tables } from './tables.ts';

export interface WaitingCountProps extends StageProps {
  readonly tables: Tables;
}

/**
 * The alarms for what waits, each named like its gauge: on from the first row of a kind until a person has
 * judged the last one.
 */
const levels: readonly { readonly metric: MetricName & AlarmName; readonly meaning: string }[] = [
  {
    metric: levelGauges.unassigned,
    meaning: 'Payments, refunds, failures or disputes wait: neither they nor their payment names an order.',
  },
  {
    metric: levelGauges.quarantined,
    meaning:
      'Signed events wait and are not applied: their sandbox flag, order id or transaction id is wrong.',
  },
  {
    metric: levelGauges.order_refused,
    meaning: 'Signed events wait and are not applied: the row of their order is full.',
  },
  {
    metric: levelGauges.conflict,
    meaning: 'Two different events have the same id; the second body waits for a person.',
  },
  {
    metric: levelGauges.unrecognised,
    meaning: 'Signed bodies that are no event payhooks understands wait; they change no order.',
  },
  {
    metric: levelGauges.unsealed,
    meaning:
      'Messages wait that the verifier did not send: a stranger writes to the queue or invokes the ' +
      'consumer. They change no order.',
  },
  {
    metric: levelGauges.event_name,
    meaning: 'Events arrive under names without a meaning; they are recorded and change no order.',
  },
  {
    metric: levelGauges.attention,
    meaning: 'The money of orders is in doubt: a double charge, a refund above the payment, and the like.',
  },
  {
    metric: levelGauges.approval,
    meaning: 'Acts were proposed and are not done: another person must approve or reject them.',
  },
];

/** Counts every two minutes what waits for a person, so that an alarm stays on until nothing waits. */
export class WaitingCount extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: WaitingCountProps) {
    super(scope, id);
    const { configuration, encryption, tables } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'waiting-count',
      description: 'Counts what waits for a person.',
      timeoutSeconds: limits.waitingCountTimeoutSeconds,
      environment: { [variables.eventsTableName]: tables.events.tableName },
      configuration,
      encryption,
    });
    tables.grantCount(this.function);
    addSchedule(this, {
      target: this.function,
      intervalMinutes: limits.waitingCountIntervalMinutes,
      description: `Counts what waits in ${Stack.of(this).stackName}.`,
    });
    this.#watch(props);
  }

  #watch({ alarms, configuration: { approvals } }: WaitingCountProps): void {
    for (const { metric, meaning } of levels) {
      // CloudWatch bills an alarm that can never fire.
      if (metric === levelGauges.approval && approvals.length === 0) continue;
      // One interval: zeros are emitted for few of them, and a longer period could still hold the last row.
      alarms.add(metric, {
        meaning,
        metric: this.function.highest(metric, Duration.minutes(limits.waitingCountIntervalMinutes)),
        isLevel: true,
      });
    }
    alarms.add('WaitingCountSilent', {
      meaning: `For ${thresholds.waitingUncountedAlarmMinutes} minutes nothing has counted what waits.`,
      metric: noSuccess(this.function, Duration.minutes(thresholds.waitingUncountedAlarmMinutes)),
      firesWithoutData: true,
    });
  }
}
