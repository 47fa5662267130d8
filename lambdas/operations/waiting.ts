import { createHash } from 'node:crypto';
import type * as api from '@payhooks/order-client';
import * as v from 'valibot';
import {
  waitingCursorCharactersMax,
  waitingListDefault,
  waitingListMax,
} from '../contract/operations-limits.ts';
import { type WaitingKind, waitingKinds } from '../contract/waiting-kinds.ts';
import { cursorText, readCursorText } from '../http-api/cursor.ts';
import { isStamp } from '../http-api/instant.ts';
import {
  ParameterError,
  readCursor,
  readLimit,
  readMode,
  readTime,
  refuseUnknown,
} from '../http-api/parameters.ts';
import type { RouteRequest } from '../http-api/route.ts';
import type { WaitingPosition, WaitingRow } from '../ports/waiting-reader.ts';
import type { OperationsParts } from './parts.ts';

const known = ['kind', 'order_id', 'transaction_id', 'since', 'until', 'mode', 'limit', 'cursor'];

/**
 * `GET /operations/waiting`: oldest first within a kind. Each kind takes one call at most, so that a page
 * with filters may be short, or empty.
 */
export async function listWaiting(parts: OperationsParts, { query }: RouteRequest): Promise<api.WaitingList> {
  refuseUnknown(query, known);
  const kind = query['kind'];
  const kinds = waitingKinds.filter((one) => kind === undefined || one === kind);
  if (kinds.length === 0)
    throw new ParameterError('kind', kind ?? '', `one of the kinds ${waitingKinds.join(', ')}`);
  const filters = {
    mode: readMode(query),
    orderId: query['order_id'],
    transactionId: query['transaction_id'],
    since: readTime(query, 'since'),
    until: readTime(query, 'until'),
  };
  const selection = { ...filters, kind };
  const cursor = readCursor(query, (text) => decodeWaitingCursor(text, selection));
  const limit = readLimit(query, { byDefault: waitingListDefault, max: waitingListMax });
  const { since = '', until } = filters;
  // DynamoDB would refuse such a range.
  if (until !== undefined && since > until) return { events: [], next_cursor: null };
  const events: api.WaitingList['events'] = [];
  const endAt = (next: WaitingCursor) => ({ events, next_cursor: encodeWaitingCursor(next, selection) });
  for (const kind of kinds.slice(cursor === undefined ? 0 : kinds.indexOf(cursor.kind))) {
    if (events.length === limit) return endAt({ kind, after: undefined });
    const after = kind === cursor?.kind ? cursor.after : undefined;
    const page = await parts.waiting.list({ ...filters, kind, limit: limit - events.length, after });
    events.push(...page.rows.map((row) => view(kind, row)));
    if (page.next !== undefined) return endAt({ kind, after: page.next });
  }
  return { events, next_cursor: null };
}

const view = (kind: WaitingKind, row: WaitingRow): api.WaitingList['events'][number] => ({
  kind,
  outcome: row.outcome ?? null,
  reason: row.reason ?? null,
  event_id: row.eventId ?? null,
  event_name: row.eventName ?? null,
  order_id: row.orderId ?? row.assignedOrderIds[0] ?? null,
  transaction_id: row.transactionId ?? null,
  received_at: row.receivedAt ?? null,
  recorded_at: row.recordedAt,
  body_sha256: row.bodySha256 ?? null,
  key_id: row.keyId ?? null,
});

/** Where a reader continues: the kind, and in it the row that the page before ended with. */
interface WaitingCursor {
  readonly kind: WaitingKind;
  readonly after: WaitingPosition | undefined;
}

/** The parameters for which a cursor is valid. */
type Selection = Readonly<Record<string, string | undefined>>;

const stamp = v.pipe(v.string(), v.check(isStamp));
const format = v.strictTuple([
  ...([v.literal(1), v.string(), v.picklist(waitingKinds)] as const),
  v.nullable(v.strictTuple([v.string(), v.string(), stamp])),
]);

export function encodeWaitingCursor({ kind, after }: WaitingCursor, selection: Selection): string {
  const position = after === undefined ? null : [after.key, after.record, after.recordedAt];
  return cursorText([1, digestOf(selection), kind, position]);
}

/** The inverse; `undefined` for any other text, and for the cursor of another selection. */
export function decodeWaitingCursor(text: string, selection: Selection): WaitingCursor | undefined {
  if (text.length > waitingCursorCharactersMax) return undefined;
  const [, digest, kind, position] = readCursorText(format, text) ?? [];
  if (kind === undefined || digest !== digestOf(selection)) return undefined;
  if (!position) return { kind, after: undefined };
  const [key, record, recordedAt] = position;
  return { kind, after: { key, record, recordedAt } };
}

const digestOf = (selection: Selection): string =>
  createHash('sha256').update(JSON.stringify(selection)).digest('base64url').slice(0, 16);
