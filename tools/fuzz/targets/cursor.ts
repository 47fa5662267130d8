import assert from 'node:assert/strict';
import { cursorText } from '../../../lambdas/http-api/cursor.ts';
import { FieldError } from '../../../lambdas/http-api/request-body.ts';
import { readRun } from '../../../lambdas/operations/run.ts';
import { decodeWaitingCursor, encodeWaitingCursor } from '../../../lambdas/operations/waiting.ts';
import { decodeCursor, encodeCursor } from '../../../lambdas/order-query/cursor.ts';
import type { Target } from '../target.ts';

const at = '2026-11-21T10:00:00.000Z';
const position = { updatedAt: at, tie: '0123456789abcdef0123456789abcdef' };
const selection = { mode: 'live' };
const runs = ['range', 'order', 'verify events', 'verify orders'] as const;

interface Kind {
  readonly name: string;
  /** `undefined` for a text that is no cursor of this kind. */
  readonly decode: (text: string) => unknown;
  /** The text of what `decode` returned. */
  readonly encode: (cursor: never) => string;
}

const kinds: readonly Kind[] = [
  { name: 'orders', decode: decodeCursor, encode: encodeCursor },
  {
    name: 'waiting events',
    decode: (text) => decodeWaitingCursor(text, selection),
    encode: (cursor) => encodeWaitingCursor(cursor, selection),
  },
  { name: 'replay', decode: (text) => readRun(text, 'live', runs), encode: cursorText },
];

/** The cursors of the order query and of the operations, each of which a caller may change. */
export const cursorTarget: Target = {
  name: 'cursor',
  async run(input) {
    const text = Buffer.from(input).toString('utf8');
    const accepting = kinds.filter(({ decode, encode }) => {
      const cursor = decoded(decode, text);
      if (cursor === undefined) return false;
      // What is read again is the same place, so that no page is left out.
      assert.deepEqual(decode(encode(cursor as never)), cursor);
      return true;
    });
    return accepting.map(({ name }) => name).join(' and ') || '400';
  },
  outcomes: {
    '400': 'not base64url, not JSON, another version, field, type or time, or too long',
    orders: 'a cursor of `GET /orders`, of every version',
    'waiting events': 'a cursor of `GET /operations/waiting` for the same selection',
    replay: 'a cursor of a replay or a verification in the same mode',
  },
  seeds: [
    encodeCursor({
      ...{ mode: 'live', status: 'paid', attention: 'any', sortOrder: 'desc', position },
      updatedSince: at,
    }),
    encodeCursor({
      ...{ mode: 'sandbox', status: undefined, attention: undefined, sortOrder: 'asc', position },
      ...{ settled: { updatedAt: at, tie: '' }, updatedUntil: undefined, since: 1_763_719_200_000 },
    }),
    encodeCursor({
      ...{ mode: 'sandbox', status: undefined, attention: 'conflicting_event', sortOrder: 'asc', position },
      ...{ settled: position, updatedUntil: at, since: 0 },
    }),
    encodeWaitingCursor({ kind: 'conflict', after: { key: 'k', record: 'r', recordedAt: at } }, selection),
    encodeWaitingCursor({ kind: 'unassigned', after: undefined }, selection),
    cursorText({
      of: 'range',
      mode: 'live',
      at,
      since: at,
      until: null,
      meaningsId: null,
      after: ['a', 'b'],
    }),
    ...['', '=', 'AA==', '!'],
  ],
  words: ['WzEs', 'Iix', 'bnVsbA', '-', '_', '=', '+', '/'],
};

function decoded(decode: Kind['decode'], text: string): unknown {
  try {
    return decode(text);
  } catch (error) {
    if (error instanceof FieldError) return undefined;
    throw error;
  }
}
