import { fullFact } from '../domain/fact.ts';
import type { AnyMode } from '../domain/signature.ts';
import { orderHeadroomBytes } from './limits.ts';
import { changeShard, orderAttributes, orderKey } from './schema.ts';

/** The most that DynamoDB stores in one item. */
const itemBytesMax = 400 * 1024;
/** More than the counters and the time stamp of a row, and the name of the last publication, ever take. */
const otherBytesMax = 256;

/**
 * Whether an order's item can hold these facts, as DynamoDB counts it: the names and values of its attributes
 * in UTF-8. Until the row reports that it is full, it keeps room for that.
 */
export function fitsOrderItem(
  order: { readonly mode: AnyMode; readonly id: string },
  facts: readonly string[],
): boolean {
  const { mode, id } = order;
  const key = orderKey(mode, id);
  const texts = [...Object.values(orderAttributes), key, changeShard(mode, key), ...facts];
  const headroom = facts.includes(fullFact) ? 0 : orderHeadroomBytes;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes + headroom + otherBytesMax <= itemBytesMax;
}
