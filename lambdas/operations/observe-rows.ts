import { eventRecord } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { ReadingWriter } from '../ports/readings.ts';
import type { EventRow, EventWriter } from '../ports/stores.ts';

/** The part of a row that acts change; `outcome` is `null` for the row of an event name. */
export interface RowState {
  readonly outcome: EventRow['outcome'] | null;
  readonly waiting: NonNullable<EventRow['waiting']> | null;
}

/** A row that an act changed. `before` is `null` for one that the act stored. */
export interface EventChange {
  readonly event_id: string | null;
  readonly body_sha256: string | null;
  readonly before: RowState | null;
  readonly after: RowState;
}

type Observed = Pick<EventRow, 'key' | 'record'> & EventChange;
type NamedRow = Pick<EventRow, 'key' | 'record' | 'waiting'> &
  Partial<Pick<EventRow, 'outcome' | 'eventId' | 'bodySha256'>>;

type RowWriter = EventWriter & ReadingWriter;

export interface ObservedRows<Events extends RowWriter> {
  readonly events: Events;
  /** Adds a row that waits while an act is under way; one that was dismissed did not wait before. */
  beginWait(row: NamedRow, waiting: WaitingKind): void;
  /** Adds a row whose wait an act ended. */
  endWait(row: NamedRow): void;
  /** The rows whose state changed, by key. */
  changed(): readonly Observed[];
}

/** Watches what an act stores and settles, over the table and in a dry run alike. */
export function observeRows<Events extends RowWriter>(events: Events): ObservedRows<Events> {
  const observed = new Map<string, Observed>();

  function observe(row: NamedRow, before: RowState | null, after: RowState): void {
    const { key, record, eventId, bodySha256 } = row;
    const name = JSON.stringify([key, record]);
    const first = observed.get(name);
    const ids = { event_id: eventId ?? null, body_sha256: bodySha256 ?? null };
    observed.set(name, { key, record, ...ids, before: first === undefined ? before : first.before, after });
  }

  return {
    events: {
      ...events,
      async put(row) {
        const result = await events.put(row);
        if (result.kind === 'stored') observe(row, null, stateOf(row));
        return result;
      },
      async settle(settlement) {
        const row = await events.getRow(settlement.key, eventRecord.event);
        const settled = await events.settle(settlement);
        if (row !== undefined && settled !== undefined) observe(row, stateOf(row), stateOf(settlement));
        return settled;
      },
      async reread(reading) {
        const { key, record = eventRecord.event } = reading;
        const before = await events.getRow(key, record);
        await events.reread(reading);
        const after = await events.getRow(key, record);
        if (before !== undefined && after !== undefined) observe(before, stateOf(before), stateOf(after));
      },
    },
    beginWait: (row, waiting) => observe(row, stateOf(row), { outcome: row.outcome ?? null, waiting }),
    endWait: (row) => observe(row, stateOf(row), { outcome: row.outcome ?? null, waiting: null }),
    changed: () =>
      [...observed.entries()]
        .filter(([, { before, after }]) => !isSame(before, after))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([, row]) => row),
  };
}

const isSame = (before: RowState | null, after: RowState): boolean =>
  before?.outcome === after.outcome && before.waiting === after.waiting;

const stateOf = ({ outcome, waiting }: Partial<Pick<EventRow, 'outcome' | 'waiting'>>): RowState => ({
  outcome: outcome ?? null,
  waiting: waiting ?? null,
});
