import * as v from 'valibot';
import { cursorCharactersMax } from '../contract/limits.ts';
import { type Attention, attentions } from '../domain/attention.ts';
import { type OrderStatus, orderStatuses } from '../domain/fold-order.ts';
import type { Mode } from '../domain/signature.ts';
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

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(partsOf(cursor))).toString('base64url');
}

/**
 * Version 1 is that of releases without the filter `attention`, and version 2 that of those without the
 * parameter `updated_until`: a cursor without them keeps its form.
 */
function partsOf({ mode, status, attention, ...walk }: Cursor): readonly unknown[] {
  const filter = [mode, status ?? null];
  const place = [walk.position.updatedAt, walk.position.tie];
  if (walk.sortOrder === 'desc')
    return [2, ...filter, attention ?? null, 'desc', ...place, walk.updatedSince];
  const settled = [walk.settled.updatedAt, walk.settled.tie, walk.since];
  if (walk.updatedUntil !== undefined)
    return [3, ...filter, attention ?? null, 'asc', ...place, ...settled, walk.updatedUntil];
  if (attention === undefined) return [1, ...filter, ...place, ...settled];
  return [2, ...filter, attention, 'asc', ...place, ...settled];
}

const mode = v.picklist(['live', 'sandbox']);
const status = v.nullable(v.picklist(orderStatuses));
const attention = v.nullable(v.picklist(attentionFilters));
const time = v.pipe(v.string(), v.check(isStamp));
/** Empty, or a part of a hash: see `changeOf`. */
const tie = v.pipe(v.string(), v.regex(/^([0-9a-f]{32})?$/));
const since = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.union([
    v.pipe(
      v.strictTuple([v.literal(1), mode, status, time, tie, time, tie, since]),
      v.transform(([, mode, status, ...place]) => ({ mode, status, attention: null, ...walkOf(place) })),
    ),
    v.pipe(
      v.strictTuple([v.literal(2), mode, status, attention, v.literal('asc'), time, tie, time, tie, since]),
      v.transform(([, mode, status, attention, , ...place]) => ({
        mode,
        status,
        attention,
        ...walkOf(place),
      })),
    ),
    v.pipe(
      v.strictTuple([
        v.literal(3),
        mode,
        status,
        attention,
        v.literal('asc'),
        time,
        tie,
        time,
        tie,
        since,
        time,
      ]),
      v.transform(([, mode, status, attention, , ...place]) => ({
        mode,
        status,
        attention,
        ...walkOf(place),
      })),
    ),
    v.pipe(
      v.strictTuple([v.literal(2), mode, status, attention, v.literal('desc'), time, tie, time]),
      v.transform(([, mode, status, attention, sortOrder, updatedAt, tie, updatedSince]) => {
        return { mode, status, attention, sortOrder, position: { updatedAt, tie }, updatedSince };
      }),
    ),
  ]),
);

type Place = readonly [
  ...[updatedAt: string, tie: string, settledAt: string, settledTie: string, since: number],
  updatedUntil?: string,
];

function walkOf([updatedAt, tie, settledAt, settledTie, since, updatedUntil]: Place): Walk {
  const settled = { updatedAt: settledAt, tie: settledTie };
  return { sortOrder: 'asc', position: { updatedAt, tie }, settled, updatedUntil, since };
}

/** The inverse of `encodeCursor`; `undefined` for any other text. */
export function decodeCursor(text: string): Cursor | undefined {
  if (text.length > cursorCharactersMax || !/^[\w-]+$/.test(text)) return undefined;
  const { success, output } = v.safeParse(schema, Buffer.from(text, 'base64url').toString('utf8'));
  if (!success) return undefined;
  return { ...output, status: output.status ?? undefined, attention: output.attention ?? undefined };
}
