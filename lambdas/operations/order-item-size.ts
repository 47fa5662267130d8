import { orderHeadroomBytes } from '../contract/limits.ts';
import { changeShard, orderAttributes, orderKey } from '../contract/schema.ts';
import type { OrderRow } from '../ports/stores.ts';

/** The most that DynamoDB stores in one item. */
export const orderItemBytesMax = 400 * 1024;

/** The size of an order's item as DynamoDB counts it: the names and values of its attributes in UTF-8. */
export function orderItemBytes(
  { order, facts, updatedAt }: OrderRow,
  { headroom }: { readonly headroom: boolean },
): number {
  const key = orderKey(order.mode, order.id);
  const attributes: readonly (readonly [string, ...string[]])[] = [
    [orderAttributes.key, key],
    [orderAttributes.mode, order.mode],
    [orderAttributes.orderId, order.id],
    [orderAttributes.facts, ...facts],
    [orderAttributes.updatedAt, updatedAt],
    [orderAttributes.changeShard, changeShard(order.mode, key)],
    ...(headroom ? [[orderAttributes.headroom, '0'.repeat(orderHeadroomBytes)] as const] : []),
  ];
  return attributes.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
