import { Duration, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { Encryption } from './encryption.ts';
import { meaningVariables } from './event-meanings.ts';
import { noSuccess } from './no-success.ts';
import { NodeFunction } from './node-function.ts';
import { addSchedule } from './stage-schedule.ts';
import type { Tables } from './tables.ts';

export interface WaitingCountProps {
  readonly configuration: Configuration;
  readonly encryption: Encryption;
  readonly alarms: Alarms;
  readonly tables: Tables;
}

/** Counts every minute what waits for a person, so that an alarm stays on until nothing waits. */
export class WaitingCount extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: WaitingCountProps) {
    super(scope, id);
    const { configuration, encryption, alarms, tables } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'waiting-count',
      description: 'Counts what waits for a person.',
      timeoutSeconds: limits.waitingCountTimeoutSeconds,
      memoryMegabytes: limits.waitingCountMemoryMegabytes,
      environment: {
        [variables.eventsTableName]: tables.events.tableName,
        ...meaningVariables(configuration),
      },
      configuration,
      encryption,
    });
    tables.grantCount(this.function);
    addSchedule(this, {
      target: this.function,
      intervalMinutes: limits.waitingCountIntervalMinutes,
      description: `Counts what waits in ${Stack.of(this).stackName}.`,
    });
    this.#watch(alarms);
  }

  #watch(alarms: Alarms): void {
    // One minute: zeros are emitted for few minutes, and a longer period could still hold the last row.
    const period = Duration.minutes(limits.waitingCountIntervalMinutes);
    alarms.add('EventsWaiting', {
      meaning:
        'Signed events wait for a person: without a known order, in conflict, under an unknown name, of a ' +
        'full order, with wrong contents, or not readable. Orders may lack a payment or a refund.',
      metric: this.function.highest(metricNames.eventsWaiting, period),
      isLevel: true,
    });
    alarms.add('WaitingCountSilent', {
      meaning: `For ${thresholds.waitingUncountedAlarmMinutes} minutes nothing has counted what waits.`,
      metric: noSuccess(this.function, Duration.minutes(thresholds.waitingUncountedAlarmMinutes)),
      firesWithoutData: true,
    });
  }
}
