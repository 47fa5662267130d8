import { AwsError } from '@payhooks/cdk-local/aws-error';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  receiptAttributes,
  receiptsIndexName,
  waitingAttributes,
  waitingIndexName,
} from '../../../../lambdas/contract/schema.ts';

/** The attribute with the time to live, in both tables. */
export const expiryAttribute = eventAttributes.expiresAt;

const keyOf = (names: readonly string[]) =>
  names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }));

interface Index {
  readonly name: string;
  readonly key: readonly string[];
  /** The attributes besides the keys. */
  readonly holds?: readonly string[];
}

/** A table in the form in which DynamoDB describes it, which dynalite works with. */
const table = (TableName: string, key: readonly string[], ...indexes: readonly Index[]) => ({
  TableName,
  TableStatus: 'ACTIVE',
  AttributeDefinitions: [...new Set([...key, ...indexes.flatMap((index) => index.key)])].map(
    (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
  ),
  KeySchema: keyOf(key),
  GlobalSecondaryIndexes: indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: keyOf(index.key),
    Projection: index.holds
      ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...index.holds] }
      : { ProjectionType: 'KEYS_ONLY' },
  })),
});
export type TableDescription = ReturnType<typeof table>;

const { key, record, waiting, recordedAt, receiptShard, receivedAt } = eventAttributes;
const { key: orderKey, changeShard, updatedAt } = orderAttributes;

/** What `lib/tables.ts` creates; a test compares it with the synthesised template. */
export const tables = {
  events: table(
    'events',
    [key, record],
    { name: waitingIndexName, key: [waiting, recordedAt], holds: waitingAttributes },
    { name: receiptsIndexName, key: [receiptShard, receivedAt], holds: receiptAttributes },
  ),
  orders: table('orders', [orderKey], { name: changesIndexName, key: [changeShard, updatedAt] }),
};

export type TableName = keyof typeof tables;

export function tableNamed(name: string): TableDescription {
  const table = tables[name as TableName];
  if (table === undefined) throw new AwsError('ResourceNotFoundException', `There is no table ${name}.`);
  return table;
}
