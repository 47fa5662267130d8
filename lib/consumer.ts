import { EventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import {
  consumerBatchRecordsMax,
  consumerMemoryMegabytes,
  consumerTimeoutSeconds,
} from '../lambdas/contract/limits.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { meaningVariables } from './event-meanings.ts';
import type { EventQueue } from './event-queue.ts';
import { NodeFunction } from './node-function.ts';
import type { Tables } from './tables.ts';

export interface ConsumerProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly eventQueue: EventQueue;
  readonly tables: Tables;
}

/** Receives events from the queue, records each one and merges it into its order. */
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
        [variables.eventQueueUrl]: eventQueue.queue.queueUrl,
        [variables.eventsTableName]: tables.events.tableName,
        [variables.ordersTableName]: tables.orders.tableName,
        ...(eventRetentionDays === undefined
          ? {}
          : { [variables.eventRetentionDays]: String(eventRetentionDays) }),
        ...meaningVariables(configuration),
      },
      configuration,
    });
    tables.grantRecord(this.function);
    eventQueue.grantConsume(this.function);

    // Never a filter: it deletes the messages that it leaves out. Never reserved concurrency below the
    // maximum here: it sends messages to the dead-letter queue that no consumer has seen.
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
      meaning: 'The consumer crashed, timed out or could not start; its batches are retried.',
      metric: this.function.lambda.metricErrors(),
    });
  }
}
