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
    meaning:
      'These events name no order, and we know no payment that does. They change nothing until you pick ' +
      'an order.',
  },
  {
    metric: levelGauges.quarantined,
    meaning:
      'Signed events were not applied: their sandbox flag, order id or transaction id is wrong. ' +
      'Your decision is needed.',
  },
  {
    metric: levelGauges.order_refused,
    meaning: 'Signed events were not applied, because the row of their order is full.',
  },
  {
    metric: levelGauges.conflict,
    meaning: 'Two different events have the same id. The second one needs your decision.',
  },
  {
    metric: levelGauges.unrecognised,
    meaning: 'The signature is valid, but payhooks cannot read the content. Such bodies change no order.',
  },
  {
    metric: levelGauges.unsealed,
    meaning:
      'Messages did not come from the verifier: someone else writes to the queue or invokes the consumer. ' +
      'They change no order.',
  },
  {
    metric: levelGauges.event_name,
    meaning: 'Events arrive under names that payhooks does not know. They are recorded and change no order.',
  },
  {
    metric: levelGauges.attention,
    meaning: 'The money of some orders is in doubt, such as a double charge or a refund above the payment.',
  },
  {
    metric: levelGauges.approval,
    meaning: 'Proposed acts wait until another person approves or rejects them.',
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
      meaning: `What waits has not been counted for ${thresholds.waitingUncountedAlarmMinutes} minutes.`,
      metric: noSuccess(this.function, Duration.minutes(thresholds.waitingUncountedAlarmMinutes)),
      firesWithoutData: true,
    });
  }
}
