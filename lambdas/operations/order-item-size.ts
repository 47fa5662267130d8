import { orderHeadroomBytes } from '../contract/limits.ts';
import type { RowFormat } from '../contract/row-format.ts';
import { changeShard, orderAttributes, orderKey } from '../contract/schema.ts';
import { storedFact } from '../domain/stored-fact.ts';
import type { OrderRow } from '../ports/stores.ts';

/** The most that DynamoDB stores in one item. */
export const orderItemBytesMax = 400 * 1024;

/**
 * The size of an order's item as DynamoDB counts it: the names and values of its attributes in UTF-8. Of one
 * with facts in both forms, the size that it would have in one form.
 */
export function orderItemBytes(
  { order, facts, updatedAt }: OrderRow,
  { headroom, compact }: RowFormat & { readonly headroom: boolean },
): number {
  const key = orderKey(order.mode, order.id);
  const reserve = compact ? orderAttributes.padding : orderAttributes.headroom;
  const attributes: readonly (readonly string[])[] = [
    [orderAttributes.key, key],
    [orderAttributes.facts, ...(compact ? facts.map(storedFact) : facts)],
    [orderAttributes.updatedAt, updatedAt],
    [orderAttributes.changeShard, changeShard(order.mode, key)],
    ...(compact
      ? []
      : [
          [orderAttributes.mode, order.mode],
          [orderAttributes.orderId, order.id],
        ]),
    ...(headroom ? [[reserve, '0'.repeat(orderHeadroomBytes)]] : []),
  ];
  return attributes.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
