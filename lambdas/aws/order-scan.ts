import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { scanPageOrders } from '../contract/operations-limits.ts';
import { orderAttributes, orderKey } from '../contract/schema.ts';
import type { OrderScan } from '../ports/scans.ts';
import { requiredText, text } from './dynamodb.ts';
import { toOrderRow } from './order-table.ts';

/** Implements the scan of the table `orders`. */
export function createOrderScan(client: DynamoDBClient, tableName: string): OrderScan {
  return {
    async page({ mode, after }) {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new ScanCommand({
          TableName: tableName,
          Limit: scanPageOrders,
          FilterExpression: 'begins_with(#key, :prefix)',
          ExpressionAttributeNames: { '#key': orderAttributes.key },
          ExpressionAttributeValues: { ':prefix': text(orderKey(mode, '')) },
          ...(after && { ExclusiveStartKey: { [orderAttributes.key]: text(after) } }),
        }),
      );
      return {
        orders: Items.map(toOrderRow),
        next: LastEvaluatedKey && requiredText(LastEvaluatedKey, orderAttributes.key),
      };
    },
  };
}
