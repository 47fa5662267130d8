import { eventRow, type RowSettings } from '../consumer/event-rows.ts';
import { eventRecord } from '../contract/schema.ts';
import { eventFact } from '../domain/fact.ts';
import type { EventRow, EventWriter } from '../ports/stores.ts';
import { type ReadAgain, readAgain } from './read-again.ts';

/** The event that is replayed, as its row was found and as this version reads its body. */
export interface ReplaySubject {
  readonly found: EventRow;
  /** `found`, with what the body says to this version. */
  readonly row: EventRow;
  readonly fact: string;
  /** `undefined` when the body has expired or was erased: then the stored fact stands for it. */
  readonly body: Extract<ReadAgain, { ok: true }> | undefined;
  /** What becomes of the event while no order is known for it. */
  readonly unassigned: Pick<EventRow, 'outcome' | 'waiting'>;
}

export type SubjectResult =
  | { readonly ok: true; readonly subject: ReplaySubject }
  | { readonly ok: false; readonly reason: string };

/** What is replayed of the rows under one event id; otherwise why nothing is. */
export function subjectOf(
  rows: readonly EventRow[],
  settings: Pick<RowSettings, 'eventRetentionDays' | 'meaningOf'>,
): SubjectResult {
  const found = rows.find(({ record }) => record === eventRecord.event);
  if (found === undefined) return { ok: false, reason: 'not_recorded' };
  // What was dismissed may have reached an order since, with its transaction.
  if (found.judged?.verdict === 'dismissed' && found.outcome !== 'applied')
    return { ok: false, reason: 'dismissed' };
  // An event that waits needs an operator, unless this version reads something else in it.
  const waits = { ok: false, reason: 'waiting' } as const;
  if (found.waiting !== undefined && (found.judged !== undefined || found.body === undefined)) return waits;
  if (found.body === undefined) {
    if (found.fact === undefined) return { ok: false, reason: 'body_missing' };
    return { ok: true, subject: { found, row: found, fact: found.fact, body: undefined, unassigned: found } };
  }
  const body = readAgain(found, found.body, rows);
  if (!body.ok) return body;
  const read = eventRow(body.received, body.event, { ...settings, now: new Date(found.recordedAt) });
  const { outcome, waiting } = read;
  const fact = eventFact(body.event);
  const row = withSaid(found, { ...read, fact });
  if (found.waiting !== undefined && isSameReading(found, row)) return waits;
  return {
    ok: true,
    subject: { found, row, fact, body, unassigned: { outcome, ...(waiting && { waiting }) } },
  };
}

/** What a row says about the body of its event. */
const said = ['orderId', 'transactionId', 'eventName', 'fact'] as const;
type Said = Pick<EventRow, (typeof said)[number]>;

export const saidBy = (row: EventRow): Said =>
  Object.fromEntries(said.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name]]])));

function withSaid(row: EventRow, other: EventRow): EventRow {
  const { orderId, transactionId, eventName, fact, ...kept } = row;
  return { ...kept, ...saidBy(other) };
}

/** Whether two rows say the same about the body of an event. */
export const isSameReading = (one: EventRow, other: EventRow): boolean =>
  said.every((name) => one[name] === other[name]);

/** The events of an act that sees the row of its subject as this version reads it. */
export function eventsAsRead<Events extends EventWriter>(events: Events, { row }: ReplaySubject): Events {
  const asRead = (stored: EventRow): EventRow =>
    stored.record === eventRecord.event ? withSaid(stored, row) : stored;
  return {
    ...events,
    async put(other) {
      const result = await events.put(other);
      return result.kind === 'present' ? { ...result, row: asRead(result.row) } : result;
    },
    async getRow(key, record) {
      const stored = await events.getRow(key, record);
      return stored && asRead(stored);
    },
  };
}
