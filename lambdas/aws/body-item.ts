import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { bodyBytesMax } from '../contract/limits.ts';
import { eventRecord, eventAttributes as names } from '../contract/schema.ts';
import type { BodyRow } from '../ports/stores.ts';
import { type Item, keyOf, type Values } from './items.ts';

/** The item of a body in a row of its own. */
export const bodyValues = ({ key, bodySha256, body, expiresAt }: BodyRow): Values => ({
  ...keyOf(key, eventRecord.body(bodySha256)),
  ...packBody(body),
  [names.expiresAt]: expiresAt,
});

/** Compressed when that makes the body smaller. */
export function packBody(body: Uint8Array): Values {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const compressed = brotliCompressSync(body, { params });
  if (compressed.length < body.length) return { [names.body]: compressed };
  return { [names.body]: body, [names.bodyEncoding]: 'identity' };
}

/** The bytes as they were received; `undefined` for an item without a body. Throws for damaged bytes. */
export function unpackBody(item: Item = {}): Uint8Array | undefined {
  const bytes = item[names.body]?.B;
  const encoding = item[names.bodyEncoding]?.S;
  if (bytes === undefined || encoding === 'identity') return bytes;
  if (encoding !== undefined) throw new TypeError(`This version does not know ${JSON.stringify(encoding)}.`);
  const { buffer, byteOffset, length } = brotliDecompressSync(bytes, { maxOutputLength: bodyBytesMax });
  return new Uint8Array(buffer, byteOffset, length);
}
