import type { WaitingKind } from '../contract/waiting-kinds.ts';
import { countEvents } from '../domain/counted-events.ts';
import { eventFact } from '../domain/fact.ts';
import { type EventRecordView, eventRecordView, leadingEvent } from '../order-query/event-view.ts';
import type { Act, ActName } from '../ports/acts.ts';
import type { Decision } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import { ordersOfRow } from '../projection/layout.ts';
import type { OperationsParts } from './parts.ts';

/** One signed body under an event id, with what operators need to judge it. */
export interface EventRecord extends EventRecordView {
  readonly record: 'event' | 'conflict' | 'quarantine' | 'unrecognised';
  readonly outcome: EventRow['outcome'];
  readonly waiting: WaitingKind | null;
  /** Whether the bytes are still stored. */
  readonly has_body: boolean;
  readonly judged: RecordJudgement | null;
  readonly erased: Decision | null;
  /** Whether its order counts what this body says: of several bodies under one id, one counts. */
  readonly counts: boolean;
}

export interface RecordJudgement extends Decision {
  readonly verdict: 'admitted' | 'dismissed';
  readonly order_id: string | null;
}

/** What an operator did, as responses show it. */
export interface ActView extends Decision {
  readonly act: ActName;
  readonly event_id: string | null;
  readonly order_id: string | null;
  readonly body_sha256: string | null;
}

export interface StoredRecord {
  readonly row: EventRow;
  readonly view: EventRecord;
}

/** The records of one event id: the event first, the others as they were received. */
export async function readRecords(
  parts: OperationsParts,
  rows: readonly EventRow[],
): Promise<StoredRecord[]> {
  const found = leadingEvent(rows);
  const sorted = found === undefined ? [] : [found.row, ...found.others];
  const counted = await factsInOrders(parts, sorted);
  return sorted.map((row) => {
    const fact = factOf(row);
    return { row, view: recordView(row, fact !== undefined && counted.has(fact)) };
  });
}

/** The facts that the orders of these rows count, one for each event id of an order. */
async function factsInOrders(
  { orders }: OperationsParts,
  rows: readonly EventRow[],
): Promise<ReadonlySet<string>> {
  const [first] = rows;
  if (first === undefined) return new Set();
  const ids = new Set(rows.flatMap(ordersOfRow));
  const found = await Promise.all([...ids].map((id) => orders.get({ mode: first.mode, id })));
  return new Set(found.flatMap((order) => [...countEvents(order?.facts ?? []).texts.values()]));
}

const factOf = ({ eventId = '', reading }: EventRow): string | undefined =>
  reading && eventFact(eventId, reading);

function recordView(row: EventRow, counts: boolean): EventRecord {
  const { judged, erased } = row;
  return {
    record: recordKind(row.record),
    ...eventRecordView(row),
    waiting: row.waiting ?? null,
    has_body: row.body !== undefined,
    judged: judged === undefined ? null : { ...judgementView(judged) },
    erased: erased === undefined ? null : { by: erased.by, at: erased.at, reason: erased.reason },
    counts,
  };
}

const judgementView = ({ verdict, by, at, reason, orderId }: NonNullable<EventRow['judged']>) => ({
  ...{ verdict, by, at, reason, order_id: orderId ?? null },
});

/** The key is the kind, and for all but two kinds the hash of the body. */
const recordKind = (record: string) => record.split(':')[0] as EventRecord['record'];

export const actView = ({ act, by, at, reason, eventId, orderId, bodySha256 }: Act): ActView => ({
  ...{ act, by, at, reason },
  event_id: eventId ?? null,
  order_id: orderId ?? null,
  body_sha256: bodySha256 ?? null,
});
