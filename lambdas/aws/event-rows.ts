import { bodiesOfEventMax } from '../contract/limits.ts';
import { scanPageRows } from '../contract/operations-limits.ts';
import {
  eventKey,
  eventNameKey,
  eventOfKey,
  eventRecord,
  eventAttributes as names,
} from '../contract/schema.ts';
import type { AnyMode } from '../domain/signature.ts';
import type { EventRow } from '../ports/rows.ts';
import type { EventScan } from '../ports/scans.ts';
import type { EventNameReader, EventReader, EventSummary, FoundBodies } from '../ports/stores.ts';
import { bodySha256In, readEventItem, readEventName } from './event-item.ts';
import { type Item, itemKeyOf, placeOf, requiredText } from './items.ts';
import { getItems, queryItems, scanPage, type Table } from './table.ts';

type EventRows = EventReader & EventNameReader;

/** Reads the rows of events, those under one id each with its body, which may be in a row of its own. */
export function createEventRows(table: Table): EventRows {
  const readItems = (keys: readonly Item[]) => getItems(table, { keys });

  /** The first items of signed bodies in a partition: acts and bodies sort before them. */
  function firstItems(partition: string, Limit: number): Promise<Item[]> {
    const text = `#${names.key} = :key AND #${names.record} > :bodies`;
    const where = { text, values: { ':key': partition, ':bodies': lastBody } };
    return queryItems(table, { where, Limit, ConsistentRead: true });
  }

  /** `undefined` in the place of a row that cannot be read. */
  async function rowsWithBodies(items: readonly Item[]): Promise<readonly (EventRow | undefined)[]> {
    const keys = new Map(items.flatMap(ownBodyKey).map((key) => [JSON.stringify(key), key]));
    const bodies = await readItems([...keys.values()]);
    const bodyOf = new Map(bodies.map((item) => [requiredText(item, names.record), item]));
    return items.map((item) => readEventItem(item, bodyOf.get(bodyRecord(item))));
  }

  async function readSummaries(mode: AnyMode, eventIds: readonly string[], consistent: boolean) {
    const items = await getItems(table, {
      ...{ keys: keysOf(mode, eventIds), consistent },
      projection: [names.key, ...summaryAttributes, names.bodySha256],
    });
    return new Map(items.flatMap(summaryOf));
  }

  return {
    async bodiesOf(key) {
      const items = await firstItems(key, bodiesOfEventMax + 1);
      if (items.length > bodiesOfEventMax) return { kind: 'too_many_bodies' };
      const rows = await rowsWithBodies(items);
      return rows.every(isReadable) ? { kind: 'found', rows } : { kind: 'unreadable' };
    },

    async find(key) {
      const items = await firstItems(key, bodiesOfEventMax);
      if (
        items.length === bodiesOfEventMax &&
        !items.some((item) => placeOf(item).record === eventRecord.event)
      ) {
        items.splice(-1, 1, ...(await readItems([itemKeyOf(key, eventRecord.event)])));
      }
      return (await rowsWithBodies(items)).filter(isReadable);
    },

    async findBody(key, bodySha256) {
      const { event, conflict, quarantine, unrecognised, unsealed } = eventRecord;
      const records = [event, conflict(bodySha256), quarantine(bodySha256), unrecognised, unsealed];
      const items = await readItems(records.map((record) => itemKeyOf(key, record)));
      return (await rowsWithBodies(items)).filter(isReadable);
    },

    async eventRows(mode, eventIds) {
      const keys = keysOf(mode, eventIds);
      const items = await getItems(table, { keys, projection: attributesBesideBody });
      const rows = items.map((item) => readEventItem(item)).filter(isReadable);
      return new Map(rows.map((row) => [row.eventId ?? '', row]));
    },

    async summaries(mode, eventIds) {
      const found = await readSummaries(mode, eventIds, false);
      // A row that such a read does not find may be new.
      const missing = eventIds.filter((id) => !found.has(id));
      return new Map([...found, ...(await readSummaries(mode, missing, true))]);
    },

    async getEventName(mode, eventName) {
      const [item] = await readItems([itemKeyOf(eventNameKey(mode, eventName), eventRecord.eventName)]);
      return item && readEventName(mode, item);
    },
  };
}

/** Sorts after the records of acts and bodies, and before all others. */
const lastBody = 'body;';

const attributesBesideBody = Object.values(names).filter(
  (name) => name !== names.body && name !== names.bodyEncoding,
);

const keysOf = (mode: AnyMode, eventIds: readonly string[]): Item[] =>
  [...new Set(eventIds)].map((id) => itemKeyOf(eventKey(mode, id), eventRecord.event));

const summaryAttributes = [names.receivedAt, names.recordedAt, names.keyId];

/** Read one by one: an order may have thousands of events. */
function summaryOf(item: Item): [string, EventSummary][] {
  const [receivedAt, recordedAt, keyId] = summaryAttributes.map((name) => item[name]?.S);
  const id = eventOfKey(requiredText(item, names.key))?.id;
  const bodySha256 = bodySha256In(item);
  return id && receivedAt && recordedAt && keyId && bodySha256
    ? [[id, { receivedAt, recordedAt, keyId, bodySha256 }]]
    : [];
}

const isReadable = (row: EventRow | undefined): row is EventRow => row !== undefined;

const bodyRecord = (item: Item): string => eventRecord.body(bodySha256In(item) ?? '');

/** Where the body of an item is that does not hold it and was not erased. */
const ownBodyKey = (item: Item): readonly Item[] =>
  item[names.body] === undefined && item[names.erased] === undefined
    ? [itemKeyOf(requiredText(item, names.key), bodyRecord(item))]
    : [];

/** Implements the scan of the table `events`. It reads every row, and returns those of events. */
export function createEventScan(table: Table): EventScan {
  return {
    async page({ mode, since, until, after, segment, withBodies = false }) {
      const text = [
        `begins_with(#${names.key}, :prefix)`,
        // A body may be in a row of its own.
        ...(withBodies ? [] : [isOfBody]),
        ...(since === undefined ? [] : [`#${names.recordedAt} >= :since`]),
        ...(until === undefined ? [] : [`#${names.recordedAt} <= :until`]),
      ].join(' AND ');
      const records = withBodies
        ? {}
        : { ':event': eventRecord.event, ':conflict': eventRecord.conflict('') };
      const values = { ':prefix': eventKey(mode, ''), ...records, ':since': since, ':until': until };
      const { items, last } = await scanPage(table, {
        filter: { text, values },
        // What is read here is not read again, so it must be as it is.
        ...(withBodies ? { ConsistentRead: true } : { projection: [names.key, names.record] }),
        ...{ segment, Limit: scanPageRows },
        ExclusiveStartKey: after && itemKeyOf(after.key, after.record),
      });
      const next = last && placeOf(last);
      const byKey = Map.groupBy(items, (item) => requiredText(item, names.key));
      // Of the first and the last key other pages may have rows.
      const whole = [...byKey].filter(([key]) => withBodies && key !== after?.key && key !== next?.key);
      const bodies = new Map(whole.map(([key, group]) => [key, bodiesIn(group)]));
      const positions = items.map(placeOf).filter(({ record }) => isBodyOfEvent(record));
      return {
        events: positions.map((position) => ({
          eventId: eventOfKey(position.key)?.id ?? '',
          position,
          bodies: bodies.get(position.key),
        })),
        next,
      };
    },
  };
}

/** What `bodiesOf` finds, from all rows of a partition. */
function bodiesIn(items: readonly Item[]): FoundBodies {
  const signed = items.filter((item) => placeOf(item).record > lastBody);
  if (signed.length > bodiesOfEventMax) return { kind: 'too_many_bodies' };
  const byRecord = new Map(items.map((item) => [placeOf(item).record, item]));
  const rows = signed.map((item) => readEventItem(item, byRecord.get(bodyRecord(item))));
  return rows.every(isReadable) ? { kind: 'found', rows } : { kind: 'unreadable' };
}

const isBodyOfEvent = (record: string): boolean =>
  record === eventRecord.event || record.startsWith(eventRecord.conflict(''));

/** Rows of events and of other bodies under their ids. */
const isOfBody = `(#${names.record} = :event OR begins_with(#${names.record}, :conflict))`;
