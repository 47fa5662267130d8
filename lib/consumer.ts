import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  eventAgeAlarmSeconds,
  retriesAlarm,
  waitingMajorityAlarm,
} from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import {
  consumerBatchRecordsMax,
  consumerMemoryMegabytes,
  consumerTimeoutSeconds,
} from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { EventQueue } from './event-queue.ts';
import { filled } from './metric-math.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { bodyVariables } from './row-variables.ts';
import type { Seal } from './seal.ts';
import type { Tables } from './tables.ts';

export interface ConsumerProps extends StageProps {
  readonly seal: Seal;
  readonly eventQueue: EventQueue;
  readonly tables: Tables;
}

/** Receives events from the queue, records each one and merges it into its order. */
export class Consumer extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: ConsumerProps) {
    super(scope, id);
    const { configuration, encryption, eventQueue, tables } = props;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'consumer',
      description: 'Records events and merges them into their orders.',
      timeoutSeconds: consumerTimeoutSeconds,
      memoryMegabytes: consumerMemoryMegabytes,
      environment: {
        [variables.eventQueueUrl]: eventQueue.queue.queueUrl,
        [variables.eventsTableName]: tables.events.tableName,
        [variables.ordersTableName]: tables.orders.tableName,
        ...bodyVariables(configuration),
      },
      configuration,
      encryption,
      isRolledOut: configuration.rollout !== undefined,
    });
    tables.grantRecord(this.function);
    eventQueue.grantConsume(this.function);
    props.seal.share(this.function);

    // Never a filter: it deletes the messages that it leaves out. Never reserved concurrency below the
    // maximum here: it sends messages to the dead-letter queue that no consumer has seen.
    new EventSourceMapping(this, 'Mapping', {
      target: this.function.entry,
      eventSourceArn: eventQueue.queue.queueArn,
      batchSize: consumerBatchRecordsMax,
      maxBatchingWindow: Duration.seconds(configuration.batchWindowSeconds),
      maxConcurrency: configuration.consumerConcurrencyMax,
      reportBatchItemFailures: true,
    });
    this.#watchDelays(props);
    this.#watchOrders(props);
  }

  #watchDelays({ alarms, configuration, eventQueue }: ConsumerProps): void {
    alarms.add('EventsDelayed', {
      meaning: `An acknowledged event has waited ${eventAgeAlarmSeconds / 60} minutes to be recorded.`,
      metric: new MathExpression({
        expression: 'MAX([FILL(waiting, 0), FILL(retried, 0)])',
        usingMetrics: {
          waiting: eventQueue.queue.metricApproximateAgeOfOldestMessage({ statistic: Stats.MAXIMUM }),
          // SQS leaves a message out of its age from the third receive on, so while DynamoDB is down, or one
          // event crashes the consumer every time, the queue seems young.
          retried: this.function.highest(metricNames.retriedRecordAge),
        },
        // Longer than the visibility timeout, after which a batch that crashes the consumer shows again.
        period: Duration.minutes(10),
      }),
      threshold: eventAgeAlarmSeconds,
    });
    // Elsewhere they would show nothing that EventsDelayed and the heartbeat do not. In a rollout the old
    // version records what a new one fails to, so no event waits for long.
    if (configuration.rollout === undefined) return;
    alarms.add('ConsumerErrors', {
      meaning: 'The consumer crashed, timed out or could not start; its batches are retried.',
      metric: this.function.lambda.metricErrors(),
    });
    // A short fault ends with the first retries. Two periods in a row mean that new records fail as well.
    alarms.add('RecordsRetried', {
      meaning: `At least ${retriesAlarm} attempts to record events failed in 5 minutes, twice in a row.`,
      metric: filled(this.function.metric(metricNames.recordsRetried)),
      threshold: retriesAlarm,
      periods: 2,
    });
  }

  /** Every waiting event has an alarm that can wait until morning; that most of them wait cannot. */
  #watchOrders({ alarms, eventQueue }: ConsumerProps): void {
    const period = Duration.hours(1);
    alarms.add('EventsWithoutOrder', {
      meaning: 'Most events of the last hour changed no order and wait: probably their form has changed.',
      metric: new MathExpression({
        expression: '2 * FILL(waiting, 0) - FILL(recorded, 0)',
        usingMetrics: {
          waiting: this.function.metric(metricNames.eventsBeganToWait, period),
          recorded: eventQueue.queue.metricNumberOfMessagesDeleted({ period, statistic: Stats.SUM }),
        },
        period,
      }),
      threshold: waitingMajorityAlarm,
    });
  }
}
