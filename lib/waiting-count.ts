import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { waitingCountedMinutes } from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import { deploymentNameOf } from './deployment-name.ts';
import { filled } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Tables } from './tables.ts';

export interface WaitingCountProps extends StageProps {
  readonly tables: Tables;
}

/** Counts every three minutes what waits for a person, so that an alarm stays on until nothing does. */
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
      description: `Counts what waits in ${deploymentNameOf(this)}.`,
    });
    this.#watch(props);
  }

  #watch({ alarms }: WaitingCountProps): void {
    const period = Duration.minutes(waitingCountedMinutes);
    alarms.add('DecisionsWaiting', {
      meaning:
        'Events that payhooks could not apply, orders whose money is in doubt, or proposed acts wait for a ' +
        `person; or nothing has counted them for ${waitingCountedMinutes} minutes.`,
      metric: filled(this.function.highest(metricNames.decisionsWaiting, period), 1),
      firesWithoutData: true,
      ends: `by itself, ${waitingCountedMinutes} minutes after nothing is left`,
    });
    alarms.add('WaitingKindsAdded', {
      meaning:
        'Another kind of event, order or act waits for a person, while DecisionsWaiting is on already.',
      metric: this.function.metric(metricNames.waitingKindsAdded),
    });
  }
}
