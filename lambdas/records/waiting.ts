import type * as api from '@payhooks/order-client';
import * as v from 'valibot';
import { stamp } from '../contract/instant.ts';
import { type WaitingKind, waitingKinds } from '../contract/metrics.ts';
import { waitingListDefault, waitingListMax } from '../contract/operations-limits.ts';
import { sha256Of } from '../domain/fact.ts';
import type { Mode } from '../domain/signature.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import {
  cursorText,
  readCursor,
  readCursorText,
  readLimit,
  readMode,
  readTime,
  refuseUnknown,
  wrongParameter,
} from '../http-api/parameters.ts';
import { moneyView } from '../order-query/event-view.ts';
import type { ActReader } from '../ports/acts.ts';
import type { ReceiptReader } from '../ports/receipt-reader.ts';
import type { EventRow } from '../ports/rows.ts';
import type { EventReader, KeyUseReader, OrderReader } from '../ports/stores.ts';
import type { WaitingReader, WaitingRow } from '../ports/waiting-reader.ts';

/** What the routes are made of that show operators what is stored, and change nothing. */
export interface RecordsParts {
  readonly events: Pick<EventReader, 'find' | 'findBody' | 'eventRows'>;
  readonly orders: Pick<OrderReader, 'get'>;
  readonly acts: ActReader;
  readonly keyUses: KeyUseReader;
  readonly waiting: WaitingReader;
  readonly receipts: ReceiptReader;
}

const known = ['kind', 'order_id', 'transaction_id', 'since', 'until', 'mode', 'limit', 'cursor'];

/** The place of a row in its list. */
export const positionFormat = v.object({
  ...{ key: v.string(), record: v.string(), recordedAt: stamp },
});
/** Where a list continues: after a row of a kind, or at the beginning of the kind. */
const cursorFormat = v.strictObject({
  /** A digest of the parameters for which the cursor is valid. */
  selection: v.string(),
  kind: v.picklist(waitingKinds),
  after: v.optional(positionFormat),
});

/**
 * `GET /operations/waiting`: oldest first within a kind. Each kind takes one call at most, all at once, so
 * that a page with filters may be short, or empty.
 */
export async function listWaiting(parts: RecordsParts, { query }: RouteRequest): Promise<api.WaitingList> {
  refuseUnknown(query, known);
  const wanted = query['kind'];
  const kinds = waitingKinds.filter((kind) => wanted === undefined || wanted === kind);
  if (kinds.length === 0)
    throw wrongParameter('kind', wanted ?? '', `one of the kinds ${waitingKinds.join(', ')}`);
  const filters = {
    mode: readMode(query),
    orderId: query['order_id'],
    transactionId: query['transaction_id'],
    since: readTime(query, 'since'),
    until: readTime(query, 'until'),
  };
  const selection = sha256Of(JSON.stringify({ ...filters, wanted })).slice(0, 22);
  const cursor = readCursor(query, (text) => {
    const read = readCursorText(cursorFormat, text);
    return read?.selection === selection ? read : undefined;
  });
  const limit = readLimit(query, { byDefault: waitingListDefault, max: waitingListMax });
  const { since = '', until } = filters;
  // DynamoDB would refuse such a range.
  if (until !== undefined && since > until) return { events: [], next_cursor: null };
  const found: { kind: WaitingKind; row: WaitingRow }[] = [];
  const done = async (next_cursor: string | null): Promise<api.WaitingList> => ({
    events: await viewsOf(parts, filters.mode, found),
    next_cursor,
  });
  const first = cursor?.kind ?? (kinds[0] as WaitingKind);
  const pages = kinds.slice(kinds.indexOf(first)).map(async (kind) => {
    const after = kind === cursor?.kind ? cursor.after : undefined;
    return { kind, ...(await parts.waiting.list({ ...filters, kind, limit, after })) };
  });
  for (const { kind, rows, next: end } of await Promise.all(pages)) {
    const room = limit - found.length;
    if (room === 0) return done(cursorText({ selection, kind }));
    found.push(...rows.slice(0, room).map((row) => ({ kind, row })));
    const last = rows.length > room ? rows[room - 1] : end;
    if (last === undefined) continue;
    const { key, record, recordedAt } = last;
    const next = { selection, kind, after: { key, record, recordedAt } };
    return done(cursorText(next));
  }
  return done(null);
}

async function viewsOf(
  { events }: RecordsParts,
  mode: Mode,
  found: readonly { readonly kind: WaitingKind; readonly row: WaitingRow }[],
): Promise<api.WaitingItem[]> {
  const contested = found.flatMap(({ kind, row }) => (kind === 'conflict' && row.eventId) || []);
  const own = await events.eventRows(mode, contested);
  return found.map(({ kind, row }) =>
    view(kind, row, own.get(kind === 'conflict' ? (row.eventId ?? '') : '')),
  );
}

const view = (kind: WaitingKind, row: WaitingRow, event: EventRow | undefined): api.WaitingItem => ({
  kind,
  event: event
    ? { order_id: event.reading?.orderId ?? event.assignedOrderIds[0] ?? null, ...moneyView(event.reading) }
    : null,
  outcome: row.outcome ?? null,
  reason: row.reason ?? null,
  event_id: row.eventId ?? null,
  event_name: row.eventName ?? null,
  order_id: row.orderId ?? row.assignedOrderIds[0] ?? null,
  transaction_id: row.transactionId ?? null,
  ...moneyView(row),
  received_at: row.receivedAt ?? null,
  recorded_at: row.recordedAt,
  body_sha256: row.bodySha256 ?? null,
  key_id: row.keyId ?? null,
});
