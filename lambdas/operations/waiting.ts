import { waitingListDefault, waitingListMax } from '../contract/operations-limits.ts';
import { type WaitingKind, waitingKinds } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import {
  ParameterError,
  type Parameters,
  readCursor,
  readLimit,
  readMode,
  readTime,
  refuseUnknown,
} from '../http-api/parameters.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { EventRow } from '../ports/rows.ts';
import type { WaitingRow } from '../ports/waiting-reader.ts';
import type { OperationsParts } from './parts.ts';
import { decodeWaitingCursor, encodeWaitingCursor, type WaitingCursor } from './waiting-cursor.ts';

/** The response of `GET /operations/waiting`. */
export interface WaitingList {
  /** Oldest first within a kind; without customer data. */
  readonly events: readonly WaitingEvent[];
  /** Where to continue; `null` at the end. */
  readonly next_cursor: string | null;
}

export interface WaitingEvent {
  readonly kind: WaitingKind;
  readonly outcome: EventRow['outcome'] | null;
  readonly reason: NonNullable<EventRow['reason']> | null;
  readonly event_id: string | null;
  readonly event_name: string | null;
  readonly order_id: string | null;
  readonly transaction_id: string | null;
  readonly received_at: string | null;
  readonly recorded_at: string;
  readonly body_sha256: string | null;
  readonly key_id: string | null;
}

const known = ['kind', 'order_id', 'transaction_id', 'since', 'until', 'mode', 'limit', 'cursor'];

export async function listWaiting(parts: OperationsParts, { query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, known);
  return { ok: true, body: await waitingList(parts, readWaitingRequest(query)) };
}

interface WaitingRequest {
  readonly mode: Mode;
  readonly kinds: readonly WaitingKind[];
  readonly orderId: string | undefined;
  readonly transactionId: string | undefined;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly limit: number;
  readonly cursor: WaitingCursor | undefined;
}

/** Throws ParameterError. */
function readWaitingRequest(query: Parameters): WaitingRequest {
  const kind = query['kind'];
  const kinds = waitingKinds.filter((one) => kind === undefined || one === kind);
  if (kinds.length === 0)
    throw new ParameterError('kind', kind ?? '', `one of the kinds ${waitingKinds.join(', ')}`);
  const request = {
    mode: readMode(query),
    orderId: query['order_id'],
    transactionId: query['transaction_id'],
    since: readTime(query, 'since'),
    until: readTime(query, 'until'),
  };
  const cursor = readCursor(query, (text) => decodeWaitingCursor(text, { ...request, kind }));
  const limit = readLimit(query, { byDefault: waitingListDefault, max: waitingListMax });
  return { ...request, kinds, limit, cursor };
}

/** One page. Each kind takes one call at most, so that a page with filters may be short, or empty. */
async function waitingList(parts: OperationsParts, request: WaitingRequest): Promise<WaitingList> {
  const { kinds, limit, cursor, ...filters } = request;
  const { since = '', until } = filters;
  // DynamoDB would refuse such a range.
  if (until !== undefined && since > until) return { events: [], next_cursor: null };
  const selection = { ...filters, kind: kinds.length === 1 ? kinds[0] : undefined };
  const nextCursor = (next: WaitingCursor) => encodeWaitingCursor(next, selection);
  const events: WaitingEvent[] = [];
  for (const kind of kinds.slice(cursor === undefined ? 0 : kinds.indexOf(cursor.kind))) {
    if (events.length === limit) return { events, next_cursor: nextCursor({ kind, after: undefined }) };
    const after = kind === cursor?.kind ? cursor.after : undefined;
    const page = await parts.waiting.list({ ...filters, kind, limit: limit - events.length, after });
    events.push(...page.rows.map((row) => view(kind, row)));
    if (page.next !== undefined) return { events, next_cursor: nextCursor({ kind, after: page.next }) };
  }
  return { events, next_cursor: null };
}

const view = (kind: WaitingKind, row: WaitingRow): WaitingEvent => ({
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
