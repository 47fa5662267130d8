import * as v from 'valibot';
import type { Mode } from '../domain/signature.ts';
import { isStamp } from '../http-api/instant.ts';
import { FieldError } from './act-request.ts';

/** Where a run through many events goes on. */
export interface ReplayCursor {
  readonly of: 'range' | 'order' | 'verify events' | 'verify orders';
  readonly mode: Mode;
  /** When the run began, which names it in the audit; ISO 8601 UTC. */
  readonly at: string;
  readonly since: string | null;
  readonly until: string | null;
  /** With which meanings every page of the run was replayed; `null` for a preview, and of one order. */
  readonly meaningsId: string | null;
  /** The last row, event id or order that was handled; `null` at the beginning. */
  readonly after: readonly string[] | null;
}

/** The parts of a place: the key of a row, or an id. */
const placeParts: Readonly<Record<ReplayCursor['of'], number>> = {
  ...{ range: 2, 'verify events': 2 },
  ...{ order: 1, 'verify orders': 1 },
};

const time = v.pipe(v.string(), v.check(isStamp));
const schema = v.pipe(
  v.string(),
  v.regex(/^[\w-]+$/),
  v.transform((text) => Buffer.from(text, 'base64url').toString('utf8')),
  v.parseJson(),
  v.strictTuple([
    v.literal(1),
    v.picklist(['range', 'order', 'verify events', 'verify orders']),
    v.picklist(['live', 'sandbox']),
    time,
    v.nullable(time),
    v.nullable(time),
    v.nullable(v.string()),
    v.nullable(v.array(v.string())),
  ]),
  v.check(([, of, , , , , , after]) => after === null || after.length === placeParts[of]),
);

export function encodeReplayCursor({ of, mode, at, since, until, meaningsId, after }: ReplayCursor): string {
  return Buffer.from(JSON.stringify([1, of, mode, at, since, until, meaningsId, after])).toString(
    'base64url',
  );
}

/** The inverse; the cursor must belong to one of these runs, in this mode. Throws FieldError. */
export function decodeReplayCursor(
  text: string,
  mode: Mode,
  runs: readonly ReplayCursor['of'][],
): ReplayCursor {
  const { success, output } = v.safeParse(schema, text);
  if (!success || output[2] !== mode || !runs.includes(output[1])) {
    throw new FieldError('cursor', text, 'the unchanged next_cursor of an earlier response to this request');
  }
  const [, of, , at, since, until, meaningsId, after] = output;
  return { of, mode, at, since, until, meaningsId, after };
}
