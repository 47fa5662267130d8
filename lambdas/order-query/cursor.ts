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
  readonly status?: OrderStatus | undefined;
  readonly attention?: AttentionFilter | undefined;
}

/** Where a reader continues, and what it reads. */
export type Cursor = ListFilter & (Walk | BackwardWalk);

const time = v.pipe(v.string(), v.check(isStamp));
/** `tie`: empty, or a part of a hash (see `changeOf`). */
const position = v.strictObject({ updatedAt: time, tie: v.pipe(v.string(), v.regex(/^([0-9a-f]{32})?$/)) });
const filter = {
  mode: v.picklist(['live', 'sandbox']),
  status: v.optional(v.picklist(orderStatuses)),
  attention: v.optional(v.picklist(attentionFilters)),
  position,
};
const since = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const format = v.variant('sortOrder', [
  v.strictObject({
    ...filter,
    ...{ sortOrder: v.literal('asc'), settled: position, updatedUntil: v.optional(time), since },
  }),
  v.strictObject({ ...filter, sortOrder: v.literal('desc'), updatedSince: time }),
]);

export const encodeCursor = (cursor: Cursor): string => cursorText(cursor);

/** The inverse; `undefined` for any other text. */
export const decodeCursor = (text: string): Cursor | undefined =>
  text.length > cursorCharactersMax ? undefined : readCursorText(format, text);
