import type * as api from '@payhooks/order-client';
import * as v from 'valibot';
import { stamp } from '../contract/instant.ts';
import {
  receivedExaminedMax,
  receivedListDefault,
  receivedListMax,
  receivedOfShardMax,
} from '../contract/operations-limits.ts';
import { sha256Of } from '../domain/fact.ts';
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
import type { ReceiptRow } from '../ports/receipt-reader.ts';
import { outcomes } from '../ports/rows.ts';
import type { RecordsParts } from './waiting.ts';

const known = [
  ...['outcome', 'order_id', 'transaction_id', 'prefix', 'since', 'until', 'mode', 'limit', 'cursor'],
];

const cursorFormat = v.strictObject({
  /** A digest of the parameters for which the cursor is valid. */
  selection: v.string(),
  after: v.strictObject({ receivedAt: stamp, tie: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)) }),
});

/** Later than every time stamp. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/**
 * `GET /operations/events`: every signed body once, the one that was received last first. With a filter, a
 * page looks at so many of them at most, so that it may be short, or empty.
 */
export async function listReceived(parts: RecordsParts, { query }: RouteRequest): Promise<api.ReceivedList> {
  refuseUnknown(query, known);
  const { outcome, order_id: orderId, transaction_id: transactionId, prefix } = query;
  if (outcome !== undefined && !outcomes.some((name) => name === outcome))
    throw wrongParameter('outcome', outcome, `one of ${outcomes.join(', ')}`);
  const filters = { outcome, orderId, transactionId, prefix };
  const time = { mode: readMode(query), since: readTime(query, 'since'), until: readTime(query, 'until') };
  const selection = sha256Of(JSON.stringify({ ...filters, ...time })).slice(0, 22);
  const cursor = readCursor(query, (text) => {
    const read = readCursorText(cursorFormat, text);
    return read?.selection === selection ? read : undefined;
  });
  const limit = readLimit(query, { byDefault: receivedListDefault, max: receivedListMax });
  const { mode, since, until = endOfTime } = time;
  const position = cursor?.after ?? { receivedAt: until, tie: '' };
  if (since !== undefined && since > position.receivedAt) return { events: [], next_cursor: null };
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const examined = isFiltered ? { limit: receivedExaminedMax, ofShard: receivedOfShardMax } : { limit };
  const { rows, more } = await parts.receipts.before({ mode, position, since, ...examined });
  const found = rows.filter((row) => matches(row, filters));
  const shown = found.slice(0, limit);
  const end = found.length > limit ? shown.at(-1) : more ? rows.at(-1) : undefined;
  const after = end && { receivedAt: end.receivedAt, tie: end.tie };
  return { events: shown.map(view), next_cursor: after ? cursorText({ selection, after }) : null };
}

type Filters = Readonly<Record<'outcome' | 'orderId' | 'transactionId' | 'prefix', string | undefined>>;

/** A body that is no event has its hash in place of an id. */
function matches(row: ReceiptRow, { outcome, orderId, transactionId, prefix }: Filters): boolean {
  const orderIds = [row.orderId, ...row.assignedOrderIds];
  const ids = [row.eventId ?? row.bodySha256, row.transactionId, ...orderIds];
  return (
    (outcome === undefined || row.outcome === outcome) &&
    (orderId === undefined || orderIds.includes(orderId)) &&
    (transactionId === undefined || row.transactionId === transactionId) &&
    (prefix === undefined || ids.some((id) => id?.startsWith(prefix)))
  );
}

const view = (row: ReceiptRow): api.ReceivedEvent => ({
  outcome: row.outcome ?? null,
  reason: row.reason ?? null,
  waiting: row.waiting ?? null,
  event_id: row.eventId ?? null,
  event_name: row.eventName ?? null,
  order_id: row.orderId ?? row.assignedOrderIds[0] ?? null,
  transaction_id: row.transactionId ?? null,
  amount: row.amount ?? null,
  currency: row.currency ?? null,
  received_at: row.receivedAt,
  recorded_at: row.recordedAt,
  body_sha256: row.bodySha256 ?? null,
});
