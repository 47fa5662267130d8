import { RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { changesIndexName, eventAttributes, orderAttributes } from '../lambdas/contract/schema.ts';
import type { Configuration } from './configuration.ts';

export interface TablesProps {
  readonly configuration: Configuration;
}

/** What was received, and what it adds up to. `lambdas/contract/schema.ts` describes keys and attributes. */
export class Tables extends Construct {
  readonly events: Table;
  readonly orders: Table;

  constructor(scope: Construct, id: string, { configuration }: TablesProps) {
    super(scope, id);
    const kept = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      // Costs cents more than the key that AWS owns, and shows in CloudTrail who had the data decrypted.
      encryption: TableEncryption.AWS_MANAGED,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: configuration.keepData },
      deletionProtection: configuration.keepData,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.events = new Table(this, 'Events', {
      ...kept,
      partitionKey: { name: eventAttributes.key, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.record, type: AttributeType.STRING },
      // Always on: without eventRetentionDays no row has this attribute.
      timeToLiveAttribute: eventAttributes.expiresAt,
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
  }

  /** What a reader of the index of changes needs dynamodb:Query on. */
  get changesIndexArn(): string {
    return `${this.orders.tableArn}/index/${changesIndexName}`;
  }

  /** Every write to an order, for 24 hours. */
  get ordersStreamArn(): string {
    const { tableStreamArn } = this.orders;
    if (tableStreamArn === undefined) throw new Error('The table of orders has no stream.');
    return tableStreamArn;
  }
}
