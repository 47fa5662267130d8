import { AwsError } from '@payhooks/cdk-local/aws-error';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingAttributes,
  waitingIndexName,
} from '../../../../lambdas/contract/schema.ts';

/** A table in the form in which DynamoDB describes it, which dynalite works with. */
export interface TableDescription {
  readonly TableName: string;
  readonly TableStatus: 'ACTIVE';
  readonly AttributeDefinitions: readonly { readonly AttributeName: string; readonly AttributeType: 'S' }[];
  readonly KeySchema: readonly KeyElement[];
  readonly GlobalSecondaryIndexes: readonly IndexDescription[];
}

interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

interface IndexDescription {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

/** The attribute with the time to live, in both tables. */
export const expiryAttribute = eventAttributes.expiresAt;

const key = (...names: string[]): KeyElement[] =>
  names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }));

const strings = (...names: string[]): TableDescription['AttributeDefinitions'] =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

/** What `lib/tables.ts` creates; a test compares it with the synthesised template. */
export const tables = {
  events: {
    TableName: 'events',
    TableStatus: 'ACTIVE',
    AttributeDefinitions: strings(
      ...[eventAttributes.key, eventAttributes.record, eventAttributes.waiting, eventAttributes.recordedAt],
    ),
    KeySchema: key(eventAttributes.key, eventAttributes.record),
    GlobalSecondaryIndexes: [
      {
        IndexName: waitingIndexName,
        KeySchema: key(eventAttributes.waiting, eventAttributes.recordedAt),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...waitingAttributes] },
      },
    ],
  },
  orders: {
    TableName: 'orders',
    TableStatus: 'ACTIVE',
    AttributeDefinitions: strings(
      ...[orderAttributes.key, orderAttributes.changeShard, orderAttributes.updatedAt],
    ),
    KeySchema: key(orderAttributes.key),
    GlobalSecondaryIndexes: [
      {
        IndexName: changesIndexName,
        KeySchema: key(orderAttributes.changeShard, orderAttributes.updatedAt),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  },
} as const satisfies Readonly<Record<string, TableDescription>>;

export type TableName = keyof typeof tables;

export function tableNamed(name: string): TableDescription {
  const table = tables[name as TableName];
  if (table === undefined) throw new AwsError('ResourceNotFoundException', `There is no table ${name}.`);
  return table;
}
