import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Archive, EventBus } from 'aws-cdk-lib/aws-events';
import { Grant } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import * as thresholds from '../lambdas/contract/alarm-thresholds.ts';
import { variables } from '../lambdas/contract/environment.ts';
import * as limits from '../lambdas/contract/limits.ts';
import { metricNames } from '../lambdas/contract/metrics.ts';
import {
  feedDetailType,
  feedSources,
  heartbeatDetailType,
  heartbeatSource,
} from '../lambdas/order-feed/order-status-changed.ts';
import type { Alarms } from './alarms.ts';
import { guardBus } from './bus-guard.ts';
import { deploymentNameOf } from './deployment-name.ts';
import type { Encryption } from './encryption.ts';
import { NodeFunction, type StageProps } from './node-function.ts';
import { sequenceVariables } from './row-variables.ts';
import type { Tables } from './tables.ts';

export interface OrderFeedProps extends StageProps {
  readonly tables: Tables;
}

/** How long the events of the order feed can be replayed. */
const archiveDays = 30;

/**
 * Publishes the changes of orders on an EventBridge bus; `docs/order-feed.md` explains it to order systems.
 */
export class OrderFeed extends Construct {
  readonly bus: EventBus;
  readonly archive: Archive;
  /** Lambda sends the positions of records here that it gave up on. */
  readonly failures: Queue;
  readonly function: NodeFunction;

  constructor(scope: Construct, id: string, props: OrderFeedProps) {
    super(scope, id);
    const { configuration, encryption, tables } = props;
    this.failures = new Queue(this, 'Failures', {
      retentionPeriod: Duration.days(limits.deadLetterRetentionDays),
      // With the key of the bus it could not take what that key fails to encrypt.
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    this.bus = this.#createBus(encryption);
    this.archive = this.#createArchive(encryption);
    this.function = new NodeFunction(this, 'Function', {
      stage: 'order-feed',
      description: 'Publishes what changed about an order.',
      timeoutSeconds: limits.orderFeedTimeoutSeconds,
      environment: {
        [variables.feedBusName]: this.bus.eventBusName,
        [variables.ordersTableName]: tables.orders.tableName,
        [variables.eventsTableName]: tables.events.tableName,
        ...sequenceVariables(configuration),
      },
      configuration,
      encryption,
    });
    tables.grantFeed(this.function);
    this.#grant(tables);
    guardBus(this.bus, this.function.role);
    this.#follow(tables.ordersStreamArn, configuration.batchWindowSeconds);
    this.#watch(props.alarms);
  }

  /**
   * CloudFormation requires a name, so it is the deployment's, which order systems can write down. It holds
   * no data and is deleted with the stack; a retained bus would block the name of its successor.
   */
  #createBus(encryption: Encryption): EventBus {
    const name = deploymentNameOf(this);
    return new EventBus(this, 'Bus', {
      eventBusName: name,
      description: `What changed about the orders of ${name}.`,
      ...encryption.ofBus(this.failures),
    });
  }

  /** Has the name of its bus. It is not retained without its bus, because it can be replayed to no other. */
  #createArchive(encryption: Encryption): Archive {
    return new Archive(this, 'Archive', {
      sourceEventBus: this.bus,
      archiveName: deploymentNameOf(this),
      description: 'The events of the order feed, for replays.',
      ...encryption.as('kmsKey'),
      eventPattern: { source: Object.values(feedSources) },
      retention: Duration.days(archiveDays),
    });
  }

  #grant(tables: Tables): void {
    const grantee = this.function;
    tables.grantMark(grantee);
    // Lambda sends failed records with the function's role.
    Grant.addToPrincipal({
      grantee,
      actions: ['sqs:SendMessage'],
      resourceArns: [this.failures.queueArn],
    });
    this.#grantPublish(Object.values(feedSources), feedDetailType);
    // Also without heartbeats: one that is still in the stream must not stop the feed.
    this.#grantPublish([heartbeatSource], heartbeatDetailType);
  }

  #grantPublish(sources: readonly string[], detailType: string): void {
    Grant.addToPrincipal({
      grantee: this.function,
      actions: ['events:PutEvents'],
      resourceArns: [this.bus.eventBusArn],
      conditions: { StringEquals: { 'events:source': sources, 'events:detail-type': detailType } },
    });
  }

  #follow(streamArn: string, batchWindowSeconds: number): void {
    // Never a filter: the records that it leaves out are gone without a trace.
    new EventSourceMapping(this, 'Mapping', {
      target: this.function.lambda,
      eventSourceArn: streamArn,
      // A new mapping reads everything that the stream still holds: a change twice rather than not at all.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: limits.orderFeedBatchRecordsMax,
      maxBatchingWindow: Duration.seconds(batchWindowSeconds),
      parallelizationFactor: limits.orderFeedReadersPerShard,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      // Retries have no bound but the age: how often Lambda retries is not documented.
      maxRecordAge: Duration.seconds(limits.orderFeedRecordAgeSecondsMax),
      // CDK's own destination grants more than Lambda uses.
      onFailure: { bind: () => ({ destination: this.failures.queueArn }) },
    });
  }

  #watch(alarms: Alarms): void {
    alarms.add('FeedDelayed', {
      meaning: `The order feed publishes changes ${thresholds.orderFeedAgeAlarmSeconds / 60} minutes late.`,
      metric: this.function.lambda.metric('IteratorAge', { statistic: Stats.MAXIMUM }),
      threshold: thresholds.orderFeedAgeAlarmSeconds * 1000,
    });
    alarms.add('ChangesLate', {
      meaning:
        'A change of an order was committed long after its time stamp; ' +
        'order systems that read the list of orders may miss such a change.',
      metric: this.function.highest(metricNames.changeLag),
      threshold: limits.changesSettleSeconds * limits.changeLagAlarmShare,
    });
    alarms.add('FeedFailuresPresent', {
      meaning: 'Lambda gave up on changes of orders; they were not published to order systems.',
      metric: this.failures.metricApproximateNumberOfMessagesVisible({ statistic: Stats.MAXIMUM }),
    });
  }
}
