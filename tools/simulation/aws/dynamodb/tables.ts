import { AwsError } from '@payhooks/cdk-local/aws-error';
import {
  changesIndexName,
  eventAttributes,
  orderAttributes,
  waitingAttributes,
  waitingIndexName,
} from '../../../../lambdas/contract/schema.ts';

/** The attribute with the time to live, in both tables. */
export const expiryAttribute = eventAttributes.expiresAt;

const keyOf = (names: readonly string[]) =>
  names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }));

interface Keys {
  readonly key: readonly string[];
  readonly indexKey: readonly string[];
}

/** A table in the form in which DynamoDB describes it, which dynalite works with. */
const table = (
  TableName: string,
  { key, indexKey }: Keys,
  index: { IndexName: string; Projection: object },
) => ({
  TableName,
  TableStatus: 'ACTIVE',
  AttributeDefinitions: [...key, ...indexKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  KeySchema: keyOf(key),
  GlobalSecondaryIndexes: [{ ...index, KeySchema: keyOf(indexKey) }],
});
export type TableDescription = ReturnType<typeof table>;

const { key, record, waiting, recordedAt } = eventAttributes;
const { key: orderKey, changeShard, updatedAt } = orderAttributes;

/** What `lib/tables.ts` creates; a test compares it with the synthesised template. */
export const tables = {
  events: table(
    'events',
    { key: [key, record], indexKey: [waiting, recordedAt] },
    {
      IndexName: waitingIndexName,
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...waitingAttributes] },
    },
  ),
  orders: table(
    'orders',
    { key: [orderKey], indexKey: [changeShard, updatedAt] },
    { IndexName: changesIndexName, Projection: { ProjectionType: 'KEYS_ONLY' } },
  ),
};

export type TableName = keyof typeof tables;

export function tableNamed(name: string): TableDescription {
  const table = tables[name as TableName];
  if (table === undefined) throw new AwsError('ResourceNotFoundException', `There is no table ${name}.`);
  return table;
}
