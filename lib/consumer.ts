import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import {
  consumerBatchRecordsMax,
  consumerMemoryMegabytes,
  consumerTimeoutSeconds,
} from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import type { EventQueue } from './event-queue.ts';
import { NodeFunction } from './node-function.ts';
import type { Tables } from './tables.ts';

export interface ConsumerProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly eventQueue: EventQueue;
  readonly tables: Tables;
}

/** Takes events from the queue, records each one and merges it into its order. */
export class Consumer extends Construct {
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: ConsumerProps) {
    super(scope, id);
    const { configuration, eventQueue, tables } = props;
    const { eventRetentionDays } = configuration;
    this.function = new NodeFunction(this, 'Function', {
      stage: 'consumer',
      description: 'Records events and merges them into their orders.',
      timeoutSeconds: consumerTimeoutSeconds,
      memoryMegabytes: consumerMemoryMegabytes,
      environment: {
        [variables.eventsTableName]: tables.events.tableName,
        [variables.ordersTableName]: tables.orders.tableName,
        ...(eventRetentionDays === undefined
          ? {}
          : { [variables.eventRetentionDays]: String(eventRetentionDays) }),
      },
      configuration,
    });
    this.function.allow(['dynamodb:PutItem', 'dynamodb:GetItem'], tables.events.tableArn);
    this.function.allow(['dynamodb:UpdateItem', 'dynamodb:GetItem'], tables.orders.tableArn);
    eventQueue.deliverOnlyTo(this.function);

    // Never a filter: messages that a filter leaves out are deleted. And never reserved concurrency below the
    // maximum here: it sends messages to the dead letters that no consumer has seen.
    new EventSourceMapping(this, 'Mapping', {
      target: this.function.lambda,
      eventSourceArn: eventQueue.queue.queueArn,
      batchSize: consumerBatchRecordsMax,
      maxConcurrency: configuration.consumerConcurrencyMax,
      reportBatchItemFailures: true,
    });
    this.#watch(props.alarms);
  }

  #watch(alarms: Alarms): void {
    alarms.add('ConsumerErrors', {
      meaning: 'The consumer crashed, timed out or could not start; its batches will be tried again.',
      metric: this.function.lambda.metricErrors(),
    });
    alarms.add('EventsQuarantined', {
      meaning: 'A signed event was stored but not applied: it disagrees with its key or breaks a bound.',
      metric: this.function.counted(metricNames.eventsQuarantined),
    });
    alarms.add('EventConflicts', {
      meaning: 'Two different signed bodies carry one event id; the first one counts, the second is kept.',
      metric: this.function.counted(metricNames.eventConflicts),
    });
    alarms.add('EventsUnrecognised', {
      meaning: 'A signed body could not be understood; it was stored and changes no order.',
      metric: this.function.counted(metricNames.eventsUnrecognised),
    });
  }
}
