import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Archive, EventBus } from 'aws-cdk-lib/aws-events';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { feedDetailType, feedSources } from '../lambdas/order-feed/order-status-changed.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';
import { NodeFunction } from './node-function.ts';
import type { Tables } from './tables.ts';

export interface OrderFeedProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
  readonly tables: Tables;
}

/** Tells order systems on a bus of its own what changed about an order. `docs/order-feed.md` is for them. */
export class OrderFeed extends Construct {
  readonly bus: EventBus;
  readonly archive: Archive;
  /** Where Lambda names the records that it gave up on. */
  readonly failures: Queue;
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: OrderFeedProps) {
    super(scope, id);
    const { configuration, tables } = props;
    this.bus = this.#createBus();
    this.archive = this.#createArchive(configuration.feedArchiveDays);
    this.failures = new Queue(this, 'Failures', {
      retentionPeriod: Duration.days(limits.deadLetterRetentionDays),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.function = new NodeFunction(this, 'Function', {
      stage: 'order-feed',
      description: 'Publishes what changed about an order.',
      timeoutSeconds: limits.orderFeedTimeoutSeconds,
      memoryMegabytes: limits.orderFeedMemoryMegabytes,
      environment: { [variables.feedBusName]: this.bus.eventBusName },
      configuration,
    });
    this.#permit(tables.ordersStreamArn);
    this.#follow(tables.ordersStreamArn);
    this.#watch(props.alarms);
  }

  /**
   * CloudFormation insists on a name, so it is one that order systems can write down: the stack's. The bus
   * holds nothing and goes with the stack; one that stayed would stand in the way of its successor.
   */
  #createBus(): EventBus {
    const { stackName } = Stack.of(this);
    return new EventBus(this, 'Bus', {
      eventBusName: stackName,
      description: `What changed about the orders of ${stackName}.`,
    });
  }

  /**
   * Named like its bus, as an operator has to name it; and not kept without it, since it can be replayed to
   * no other.
   */
  #createArchive(days: number): Archive {
    return new Archive(this, 'Archive', {
      sourceEventBus: this.bus,
      archiveName: Stack.of(this).stackName,
      description: 'What the order feed published, for replays.',
      eventPattern: { source: Object.values(feedSources) },
      retention: Duration.days(days),
    });
  }

  #permit(streamArn: string): void {
    // What Lambda needs to poll on the function's behalf, and to name what it gave up on.
    const reading = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
    this.function.allow([...reading, 'dynamodb:ListStreams'], streamArn);
    this.function.allow(['sqs:SendMessage'], this.failures.queueArn);
    this.function.allow(['events:PutEvents'], this.bus.eventBusArn, {
      StringEquals: { 'events:source': Object.values(feedSources), 'events:detail-type': feedDetailType },
    });
  }

  #follow(streamArn: string): void {
    // Never a filter, as the consumer has none: what it leaves out is gone without a trace.
    new EventSourceMapping(this, 'Mapping', {
      target: this.function.lambda,
      eventSourceArn: streamArn,
      // A new mapping takes what the stream still holds: a change twice rather than not at all.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: limits.orderFeedBatchRecordsMax,
      parallelizationFactor: limits.orderFeedReadersPerShard,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: limits.orderFeedRetriesMax,
      maxRecordAge: Duration.seconds(limits.orderFeedRecordAgeSecondsMax),
      // CDK's own destination permits more than Lambda uses.
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
    });
  }

  #watch(alarms: Alarms): void {
    alarms.add('FeedDelayed', {
      meaning: `Order systems learn of changes ${limits.orderFeedAgeAlarmSeconds / 60} minutes late.`,
      metric: this.function.lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      threshold: limits.orderFeedAgeAlarmSeconds * 1000,
    });
    alarms.add('FeedErrors', {
      meaning: 'The order feed crashed, timed out or could not start; its batches will be tried again.',
      metric: this.function.lambda.metricErrors(),
    });
    alarms.add('FeedFailuresPresent', {
      meaning: 'Changes of orders were given up on; order systems have not been told of them.',
      metric: this.failures.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    });
    alarms.add('FeedFailuresLost', {
      meaning: 'Changes of orders were given up on, and not even the failure queue could be told.',
      metric: this.function.lambda.metric('DestinationDeliveryFailures', { statistic: Stats.SUM }),
    });
  }
}
