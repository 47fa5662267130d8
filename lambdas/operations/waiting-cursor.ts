import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { waitingCursorCharactersMax } from '../contract/operations-limits.ts';
import { type WaitingKind, waitingKinds } from '../contract/waiting-kinds.ts';
import { isStamp } from '../http-api/instant.ts';
import type { WaitingPosition } from '../ports/waiting-reader.ts';

/** Where a reader continues: the kind, and in it the row that the page before ended with. */
export interface WaitingCursor {
  readonly kind: WaitingKind;
  readonly after: WaitingPosition | undefined;
}

/** The parameters for which a cursor is valid. */
export type Selection = Readonly<Record<string, string | undefined>>;

const schema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictTuple([
    v.literal(1),
    v.string(),
    v.picklist(waitingKinds),
    v.nullable(v.strictTuple([v.string(), v.string(), v.pipe(v.string(), v.check(isStamp))])),
  ]),
);

export function encodeWaitingCursor({ kind, after }: WaitingCursor, selection: Selection): string {
  const position = after === undefined ? null : [after.key, after.record, after.recordedAt];
  return Buffer.from(JSON.stringify([1, digestOf(selection), kind, position])).toString('base64url');
}

/** The inverse; `undefined` for any other text, and for the cursor of another selection. */
export function decodeWaitingCursor(text: string, selection: Selection): WaitingCursor | undefined {
  if (text.length > waitingCursorCharactersMax || !/^[\w-]+$/.test(text)) return undefined;
  const { success, output } = v.safeParse(schema, Buffer.from(text, 'base64url').toString('utf8'));
  if (!success) return undefined;
  const [, digest, kind, position] = output;
  if (digest !== digestOf(selection)) return undefined;
  if (position === null) return { kind, after: undefined };
  const [key, record, recordedAt] = position;
  return { kind, after: { key, record, recordedAt } };
}

const digestOf = (selection: Selection): string =>
  createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 16);
