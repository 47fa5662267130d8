import { RemovalPolicy } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingAttributes,
  waitingIndexName,
} from '../lambdas/contract/schema.ts';
import type { Alarms } from './alarms.ts';
import type { Configuration } from './configuration.ts';

export interface TablesProps {
  readonly configuration: Configuration;
  readonly alarms: Alarms;
}

/**
 * The received events, and the orders that they add up to. `lambdas/contract/schema.ts` describes keys and
 * attributes.
 */
export class Tables extends Construct {
  readonly events: Table;
  readonly orders: Table;

  constructor(scope: Construct, id: string, { configuration, alarms }: TablesProps) {
    super(scope, id);
    const kept = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Costs cents more than the key that AWS owns, and CloudTrail shows who decrypted data.
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: configuration.keepData },
      deletionProtection: configuration.keepData,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.events = new Table(this, 'Events', {
      ...kept,
      partitionKey: { name: eventAttributes.key, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.record, type: AttributeType.STRING },
      // Always on: no row has this attribute without eventRetentionDays.
      timeToLiveAttribute: eventAttributes.expiresAt,
    });
    // The rows that no one has judged: few, so that the attributes for a list of them cost next to nothing.
    this.events.addGlobalSecondaryIndex({
      indexName: waitingIndexName,
      partitionKey: { name: eventAttributes.waiting, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.recordedAt, type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...waitingAttributes],
    });
    this.orders = new Table(this, 'Orders', {
      ...kept,
      partitionKey: { name: orderAttributes.key, type: AttributeType.STRING },
      // The order feed compares the facts before a write with those after it.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    this.orders.addGlobalSecondaryIndex({
      indexName: changesIndexName,
      partitionKey: { name: orderAttributes.changeShard, type: AttributeType.STRING },
      sortKey: { name: orderAttributes.updatedAt, type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });
    this.#watch(alarms);
  }

  /** An index that cannot take its writes throttles its table; DynamoDB counts its throttles separately. */
  #watch(alarms: Alarms): void {
    const { events, orders } = this;
    const throttles = (count: 'ReadThrottleEvents' | 'WriteThrottleEvents', table: Table, index?: string) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName: count,
        dimensionsMap: {
          TableName: table.tableName,
          ...(index !== undefined && { GlobalSecondaryIndexName: index }),
        },
        statistic: Stats.SUM,
      });
    const usingMetrics = {
      eventReads: throttles('ReadThrottleEvents', events),
      eventWrites: throttles('WriteThrottleEvents', events),
      waitingReads: throttles('ReadThrottleEvents', events, waitingIndexName),
      waitingWrites: throttles('WriteThrottleEvents', events, waitingIndexName),
      orderReads: throttles('ReadThrottleEvents', orders),
      orderWrites: throttles('WriteThrottleEvents', orders),
      changeReads: throttles('ReadThrottleEvents', orders, changesIndexName),
      changeWrites: throttles('WriteThrottleEvents', orders, changesIndexName),
    };
    const terms = Object.keys(usingMetrics).map((metric) => `FILL(${metric}, 0)`);
    // The SDK retries what DynamoDB throttles, and a table on demand grows within minutes.
    alarms.add('TablesThrottled', {
      meaning: 'DynamoDB has throttled a table or an index for 15 minutes: events are recorded late.',
      metric: new MathExpression({ expression: terms.join(' + '), usingMetrics }),
      periods: 3,
    });
  }

  /** Lets the consumer record events, join them through their transactions and merge them into orders. */
  grantRecord(grantee: IGrantable): void {
    const { events, orders } = this;
    grant(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:GetItem'], events.tableArn);
    grant(grantee, ['dynamodb:UpdateItem', 'dynamodb:GetItem'], orders.tableArn);
  }

  /** Lets the order query read orders, their changes, transactions and events, and the events that wait. */
  grantQuery(grantee: IGrantable): void {
    const { events, orders } = this;
    grant(grantee, ['dynamodb:Query'], `${events.tableArn}/index/${waitingIndexName}`);
    grant(grantee, ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], orders.tableArn);
    grant(grantee, ['dynamodb:Query'], `${orders.tableArn}/index/${changesIndexName}`);
    grant(grantee, ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'], events.tableArn);
  }

  /**
   * Lets the operations API list what waits, read every event, and act as the consumer does. It may delete
   * nothing: an erasure is an update.
   */
  grantOperate(grantee: IGrantable): void {
    const { events, orders } = this;
    const both = ['dynamodb:UpdateItem', 'dynamodb:GetItem', 'dynamodb:Scan'];
    const more = ['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'];
    grant(grantee, [...both, ...more], events.tableArn);
    grant(grantee, ['dynamodb:Query'], `${events.tableArn}/index/${waitingIndexName}`);
    grant(grantee, both, orders.tableArn);
  }

  /** Lets the webhook audit look up whether an event is stored. */
  grantLookUp(grantee: IGrantable): void {
    grant(grantee, ['dynamodb:Query'], this.events.tableArn);
  }

  /** Lets the waiting count read the index of what waits, which holds no bodies, and nothing else. */
  grantCount(grantee: IGrantable): void {
    grant(grantee, ['dynamodb:Query'], `${this.events.tableArn}/index/${waitingIndexName}`);
  }

  /** Lets the order feed's mapping read the stream of orders. */
  grantStreamRead(grantee: IGrantable): void {
    const reading = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
    grant(grantee, [...reading, 'dynamodb:ListStreams'], this.ordersStreamArn);
  }

  /** Every write to an order, for 24 hours. */
  get ordersStreamArn(): string {
    const { tableStreamArn } = this.orders;
    if (tableStreamArn === undefined) throw new Error('The table of orders has no stream.');
    return tableStreamArn;
  }
}

function grant(grantee: IGrantable, actions: string[], resourceArn: string): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns: [resourceArn] });
}
