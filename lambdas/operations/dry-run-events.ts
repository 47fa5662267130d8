import { eventKey, eventRecord } from '../contract/schema.ts';
import { factOfBody } from '../domain/fact.ts';
import type { ReadingWriter } from '../ports/readings.ts';
import type { BodyRow, EventReader, EventRow, EventWriter } from '../ports/stores.ts';
import { createOverlay } from './overlay.ts';
import { settledRow, withReading } from './settled-row.ts';

type Events = EventWriter & ReadingWriter & Pick<EventReader, 'find' | 'findBody'>;

/** The events of a dry run: see `createDryRunStores`. */
export function createDryRunEvents(table: Pick<Events, 'getRow' | 'find' | 'findBody'>): Events {
  const rows = createOverlay({
    keyOf: ({ key, record }: Pick<EventRow, 'key' | 'record'>) => JSON.stringify([key, record]),
    read: ({ key, record }) => table.getRow(key, record),
  });
  const put: EventRow[] = [];
  const bodies: BodyRow[] = [];
  const erasedBodies = new Set<string>();

  /** A row with its body, which may be in a row of its own. */
  async function current(row: EventRow): Promise<EventRow> {
    const { body: ownBody, ...changed } = (await rows.get(row)) ?? row;
    const isOfRow = ({ key, bodySha256 }: BodyRow) => key === row.key && bodySha256 === row.bodySha256;
    const isErased = changed.erased || erasedBodies.has(row.key + eventRecord.body(row.bodySha256));
    const body = isErased ? undefined : (ownBody ?? row.body ?? bodies.find(isOfRow)?.body);
    return withFact(body === undefined ? changed : { ...changed, body });
  }

  return {
    async put(row) {
      const { before } = await rows.update(row, (present) => present ?? withFact(row));
      if (before !== undefined) return { kind: 'present', row: before };
      put.push(row);
      return { kind: 'stored' };
    },
    async putBody(row) {
      bodies.push(row);
    },
    // What these two change shows in no result of an act.
    async putEventName() {},
    async setBodyExpiry() {},
    getRow: (key, record) => rows.get({ key, record }),
    async settle(settlement) {
      let settled: string | undefined;
      await rows.update({ key: settlement.key, record: eventRecord.event }, (row) => {
        const changed = row && settledRow(row, settlement);
        settled = changed?.bodySha256;
        return changed;
      });
      return settled;
    },
    async eraseBody({ key, record, erased, fact }) {
      if (record.startsWith(eventRecord.body(''))) {
        erasedBodies.add(key + record);
        return;
      }
      await rows.update({ key, record }, (row) => {
        if (row === undefined) return undefined;
        const { body, expiresAt, ...kept } = row;
        return { ...(fact === undefined ? {} : { fact }), ...kept, erased: row.erased ?? erased };
      });
    },
    async reread(reading) {
      const { key, record = eventRecord.event } = reading;
      await rows.update({ key, record }, (row) =>
        row?.bodySha256 === reading.bodySha256 && row.outcome === reading.from
          ? withReading(row, reading)
          : undefined,
      );
    },
    async find(mode, eventId) {
      const stored = await table.find(mode, eventId);
      const added = put.filter(({ key }) => key === eventKey(mode, eventId));
      return Promise.all([...stored, ...added].map(current));
    },
    async findBody(mode, eventId, bodySha256) {
      const stored = await table.findBody(mode, eventId, bodySha256);
      const isOf = (row: EventRow) => row.record === eventRecord.event || row.bodySha256 === bodySha256;
      const added = put.filter((row) => row.key === eventKey(mode, eventId) && isOf(row));
      return Promise.all([...stored, ...added].map(current));
    },
  };
}

/** As the table returns it: the fact of a row that was stored without it follows from its body. */
function withFact(row: EventRow): EventRow {
  if (row.record !== eventRecord.event || row.fact !== undefined || row.body === undefined) return row;
  const fact = factOfBody(row.body);
  return fact === undefined ? row : { ...row, fact };
}
