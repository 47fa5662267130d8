import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { scanPageOrders } from '../contract/operations-limits.ts';
import { orderAttributes as names, orderKey } from '../contract/schema.ts';
import type { OrderScan } from '../ports/scans.ts';
import { placeholders } from './expressions.ts';
import { requiredText, toItem } from './items.ts';
import { type OrderTableSettings, toOrderRow } from './order-table.ts';

const FilterExpression = `begins_with(#${names.key}, :prefix)`;

/** Implements the scan of the table `orders`. */
export function createOrderScan(
  client: DynamoDBClient,
  tableName: string,
  { sequenceBase = 0 }: OrderTableSettings = {},
): OrderScan {
  return {
    async page({ mode, after }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: tableName,
          Limit: scanPageOrders,
          FilterExpression,
          ...placeholders(FilterExpression, { ':prefix': orderKey(mode, '') }),
          ...(after && { ExclusiveStartKey: toItem({ [names.key]: after }) }),
        }),
      );
      return {
        orders: Items.map((item) => toOrderRow(item, sequenceBase)),
        next: LastEvaluatedKey && requiredText(LastEvaluatedKey, names.key),
      };
    },
  };
}
