import { Fn, RemovalPolicy } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  type ITable,
  ProjectionType,
  StreamViewType,
  Table,
  TableClass,
  type TableProps,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  attentionKey,
  changesIndexName,
  eventAttributes,
  orderAttributes,
  receiptAttributes,
  receiptsIndexName,
  waitingAttributes,
  waitingIndexName,
} from '../lambdas/contract/schema.ts';
import type { Configuration } from './configuration.ts';
import type { Encryption } from './encryption.ts';

export interface TablesProps {
  readonly configuration: Configuration;
  readonly encryption: Encryption;
}

/**
 * The received events, and the orders that they add up to. `lambdas/contract/schema.ts` describes keys and
 * attributes. Either table may be an existing one, such as a restored one (ADR 18).
 */
export class Tables extends Construct {
  readonly events: ITable;
  readonly orders: ITable;
  /** Every write to an order, for 24 hours. */
  readonly ordersStreamArn: string;
  readonly #encryption: Encryption;

  constructor(scope: Construct, id: string, { configuration, encryption }: TablesProps) {
    super(scope, id);
    const { eventsTableName, ordersTableStreamArn } = configuration;
    this.#encryption = encryption;
    const kept = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      ...encryption.ofTable,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: configuration.keepData },
      deletionProtection: configuration.keepData,
      removalPolicy: configuration.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    };
    this.events =
      eventsTableName === undefined
        ? (this.#createEvents(kept, configuration.eventsTableClass) as ITable)
        : Table.fromTableName(this, 'Events', eventsTableName);
    if (ordersTableStreamArn === undefined) {
      const orders = this.#createOrders(kept, configuration.changesIndex);
      if (orders.tableStreamArn === undefined) throw new Error('The table of orders has no stream.');
      this.orders = orders as ITable;
      this.ordersStreamArn = orders.tableStreamArn;
    } else {
      this.orders = Table.fromTableArn(this, 'Orders', tableArnOf(ordersTableStreamArn));
      this.ordersStreamArn = ordersTableStreamArn;
    }
  }

  #createEvents(options: Partial<TableProps>, tableClass: Configuration['eventsTableClass']): Table {
    const events = new Table(this, 'Events', {
      ...options,
      partitionKey: { name: eventAttributes.key, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.record, type: AttributeType.STRING },
      // Always on: bodies have this attribute with eventRetentionDays, and rows of heartbeats.
      timeToLiveAttribute: eventAttributes.expiresAt,
      ...(tableClass === 'infrequent-access' && { tableClass: TableClass.STANDARD_INFREQUENT_ACCESS }),
    });
    // The rows that no one has judged: few, so that the attributes for a list of them cost next to nothing.
    events.addGlobalSecondaryIndex({
      indexName: waitingIndexName,
      partitionKey: { name: eventAttributes.waiting, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.recordedAt, type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...waitingAttributes],
    });
    // Each body is written once more, so that a list by its time of receipt reads no other (ADR 26).
    events.addGlobalSecondaryIndex({
      indexName: receiptsIndexName,
      partitionKey: { name: eventAttributes.receiptShard, type: AttributeType.STRING },
      sortKey: { name: eventAttributes.receivedAt, type: AttributeType.STRING },
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: [...receiptAttributes],
    });
    return events;
  }

  #createOrders(options: Partial<TableProps>, hasChanges: boolean): Table {
    const orders = new Table(this, 'Orders', {
      ...options,
      partitionKey: { name: orderAttributes.key, type: AttributeType.STRING },
      // Only rows of heartbeats have this attribute: orders stay.
      timeToLiveAttribute: orderAttributes.expiresAt,
      // The order feed compares the facts before a write with those after it.
      stream: StreamViewType.NEW_AND_OLD_IMAGES,
    });
    // Rows have its keys in any case: one that is added later has every order.
    if (hasChanges)
      orders.addGlobalSecondaryIndex({
        indexName: changesIndexName,
        partitionKey: { name: orderAttributes.changeShard, type: AttributeType.STRING },
        sortKey: { name: orderAttributes.updatedAt, type: AttributeType.STRING },
        projectionType: ProjectionType.KEYS_ONLY,
      });
    return orders;
  }

  /** Lets the consumer record events, join them through their transactions and merge them into orders. */
  grantRecord(grantee: IGrantable): void {
    this.#grant(grantee, [...projecting, 'dynamodb:PutItem', 'dynamodb:Query'], this.events.tableArn);
    this.#grant(grantee, projecting, this.orders.tableArn);
  }

  /** Lets the order query read orders, their changes, transactions and events, and the events that wait. */
  grantQuery(grantee: IGrantable): void {
    const { events, orders } = this;
    this.#grant(grantee, ['dynamodb:Query'], `${events.tableArn}/index/${waitingIndexName}`);
    this.#grant(grantee, ['dynamodb:GetItem', 'dynamodb:BatchGetItem'], orders.tableArn);
    this.#grant(grantee, ['dynamodb:Query'], `${orders.tableArn}/index/${changesIndexName}`);
    this.#grant(grantee, ['dynamodb:Query', 'dynamodb:GetItem', 'dynamodb:BatchGetItem'], events.tableArn);
  }

  /**
   * Lets the operations API list what waits and what was received, read every event, act as the consumer
   * does, and delete the rows of bodies that are erased.
   */
  grantOperate(grantee: IGrantable): void {
    const { events, orders } = this;
    const both = [...projecting, 'dynamodb:Scan'];
    const ofEvents = ['dynamodb:PutItem', 'dynamodb:DeleteItem', 'dynamodb:Query'];
    this.#grant(grantee, [...both, ...ofEvents], events.tableArn);
    for (const index of [waitingIndexName, receiptsIndexName])
      this.#grant(grantee, ['dynamodb:Query'], `${events.tableArn}/index/${index}`);
    this.#grant(grantee, [...both, 'dynamodb:GetItem'], orders.tableArn);
  }

  /** Lets the webhook audit look up whether an event is stored, and what orders count that changed. */
  grantLookUp(grantee: IGrantable): void {
    const { events, orders } = this;
    this.#grant(grantee, ['dynamodb:BatchGetItem', 'dynamodb:Query'], events.tableArn);
    this.#grant(grantee, ['dynamodb:BatchGetItem'], orders.tableArn);
    this.#grant(grantee, ['dynamodb:Query'], `${orders.tableArn}/index/${changesIndexName}`);
  }

  /** Lets the waiting count read the index of what waits, which holds no bodies, and nothing else. */
  grantCount(grantee: IGrantable): void {
    this.#grant(grantee, ['dynamodb:Query'], `${this.events.tableArn}/index/${waitingIndexName}`);
  }

  /** Lets the order feed mark the orders with attention, and write no other row. */
  grantMark(grantee: IGrantable): void {
    this.#grant(grantee, ['dynamodb:UpdateItem'], this.events.tableArn, {
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': [attentionKey('live', '*'), attentionKey('sandbox', '*')],
      },
    });
  }

  /** Lets the order feed's mapping read the stream of orders, and the feed compare records with rows. */
  grantFeed(grantee: IGrantable): void {
    this.#grant(grantee, ['dynamodb:BatchGetItem'], this.orders.tableArn);
    const reading = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
    this.#grant(grantee, [...reading, 'dynamodb:ListStreams'], this.ordersStreamArn);
  }

  #grant(grantee: IGrantable, actions: string[], resourceArn: string, conditions = {}): void {
    this.#encryption.grantDecrypt(grantee, 'dynamodb');
    Grant.addToPrincipal({ grantee, actions, resourceArns: [resourceArn], conditions });
  }
}

/** What a repair needs on both tables: it reads rows, and writes on condition that none has changed. */
const projecting = [...['dynamodb:BatchGetItem', 'dynamodb:UpdateItem', 'dynamodb:ConditionCheckItem']];

/** The ARN of a table, in the ARN of its stream. */
const tableArnOf = (streamArn: string): string => Fn.select(0, Fn.split('/stream/', streamArn));
