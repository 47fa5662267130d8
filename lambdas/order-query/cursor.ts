import * as v from 'valibot';
import { cursorCharactersMax } from '../contract/limits.ts';
import { type Attention, attentions } from '../domain/attention.ts';
import { type OrderStatus, orderStatuses } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
import { cursorText, readCursorText } from '../http-api/cursor.ts';
import { isStamp } from '../http-api/instant.ts';
import type { BackwardWalk, Walk } from './walk.ts';

/** `any`: orders with at least one attention. */
export const attentionFilters = ['any', ...attentions] as const;
export type AttentionFilter = Attention | 'any';

/** The orders that a list is about; a cursor keeps it. */
export interface ListFilter {
  readonly mode: Mode;
  readonly status: OrderStatus | undefined;
  readonly attention: AttentionFilter | undefined;
}

/** Where a reader continues, and what it reads. */
export type Cursor = ListFilter & (Walk | BackwardWalk);

const time = v.pipe(v.string(), v.check(isStamp));
/** Of a place, the tie is empty or a part of a hash: see `changeOf`. */
const place = [time, v.pipe(v.string(), v.regex(/^([0-9a-f]{32})?$/))] as const;
const filter = [
  v.picklist(['live', 'sandbox']),
  v.nullable(v.picklist(orderStatuses)),
  v.nullable(v.picklist(attentionFilters)),
] as const;
const milliseconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** No names, which keeps the text short. */
const cursorFormat = v.union([
  v.strictTuple([v.literal('asc'), ...filter, ...place, ...place, milliseconds, v.nullable(time)]),
  v.strictTuple([v.literal('desc'), ...filter, ...place, time]),
]);

/** What is undefined is `null` in JSON. */
export function encodeCursor({ mode, status, attention, ...walk }: Cursor): string {
  const { updatedAt, tie } = walk.position;
  const parts = [walk.sortOrder, mode, status, attention, updatedAt, tie];
  if (walk.sortOrder === 'desc') return cursorText([...parts, walk.updatedSince]);
  const { settled, since, updatedUntil } = walk;
  return cursorText([...parts, settled.updatedAt, settled.tie, since, updatedUntil]);
}

/** The inverse of `encodeCursor`; `undefined` for any other text. */
export function decodeCursor(text: string): Cursor | undefined {
  const read = text.length > cursorCharactersMax ? undefined : readCursorText(cursorFormat, text);
  if (read === undefined) return undefined;
  const [, mode, status, attention, updatedAt, tie] = read;
  const kept = { mode, status: status ?? undefined, attention: attention ?? undefined };
  const position = { updatedAt, tie };
  if (read[0] === 'desc') return { ...kept, sortOrder: 'desc', position, updatedSince: read[6] };
  const [, , , , , , settledAt, settledTie, since, updatedUntil] = read;
  const settled = { updatedAt: settledAt, tie: settledTie };
  return { ...kept, sortOrder: 'asc', position, settled, since, updatedUntil: updatedUntil ?? undefined };
}
