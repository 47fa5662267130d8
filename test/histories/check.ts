import type { Classify } from '../../lambdas/consumer/receive.ts';
import { eventRecord } from '../../lambdas/contract/schema.ts';
import { eventFact, parseFact } from '../../lambdas/domain/fact.ts';
import { isSameReading, type Reading } from '../../lambdas/domain/payment-event.ts';
import type { EventRow } from '../../lambdas/ports/rows.ts';
import { repair } from '../../lambdas/projection/repair.ts';
import { consumerOver } from '../doubles/consumer.ts';
import type { createMemoryTables } from '../doubles/memory-store.ts';
import { sqsEvent } from '../doubles/sqs-event.ts';
import { classifyAs, type createWorld, createWorldTables, type HistoryBody, type Version } from './world.ts';

type MemoryTables = ReturnType<typeof createMemoryTables>;

export interface HistoryEnd {
  readonly version: Version;
  readonly bodies: readonly HistoryBody[];
  /** Orders were full: which events they refused depends on what came first. */
  readonly isTight: boolean;
  readonly now: number;
}

/** What is wrong at the end of a history; `undefined` for nothing. */
export async function faultsOf(
  world: ReturnType<typeof createWorld>,
  { version, isTight, bodies, now }: HistoryEnd,
): Promise<string | undefined> {
  const { tables } = world;
  const rows = [...tables.events.values()];
  const misread = rows.find((row) => isCounted(row) && row.body && !isReadBy(version, row, row.body));
  if (misread !== undefined) return `${misread.eventId} is not read as ${version} reads it`;
  const ids = new Set(rows.map(({ eventId }) => eventId));
  const lost = bodies.find(({ id }) => !ids.has(id));
  if (lost !== undefined) return `${lost.id} is lost`;
  const silent = rows.find((row) => !isCounted(row) && !isKeptOut(row));
  if (silent !== undefined) return `a body of ${silent.eventId} left quarantine, and nobody judged it`;
  let cursor: unknown = null;
  do {
    const page = { ...(typeof cursor === 'string' && { cursor }) };
    const { body } = await world.request({}, version, ['verify', page]);
    const found = body['differences'] as readonly object[] | undefined;
    if (found === undefined || found.length > 0) return `verify finds ${JSON.stringify(found ?? body)}`;
    cursor = body['next_cursor'];
  } while (typeof cursor === 'string');
  if (isTight) return refusedFault(tables);
  // Bodies that another version read differently, and this one alike, would be one body for a fresh consumer.
  if (rows.some((row) => rows.some((other) => other !== row && isSameBody(row, other)))) return undefined;
  const fresh = await freshTables(world, now);
  const [is, should] = [texts(tables), texts(fresh)];
  const lacks = should.filter((text) => !is.includes(text));
  const has = is.filter((text) => !should.includes(text));
  if (lacks.length + has.length === 0) return undefined;
  return [
    'it is not as if it had been read so from the beginning',
    ...has.map((text) => `has   ${text}`),
    ...lacks.map((text) => `lacks ${text}`),
  ].join('\n  ');
}

const isSameBody = (a: EventRow, b: EventRow): boolean =>
  a.eventId === b.eventId &&
  isCounted(a) &&
  isCounted(b) &&
  !!a.reading &&
  !!b.reading &&
  isSameReading(a.reading, b.reading);

const isCounted = ({ record }: EventRow): boolean =>
  record === eventRecord.event || record.startsWith(eventRecord.conflict(''));

const isKeptOut = ({ outcome, waiting, judged }: EventRow): boolean =>
  outcome === 'quarantined' && (waiting === 'quarantined' || judged !== undefined);

function isReadBy(version: Version, { mode, reading }: EventRow, body: Uint8Array): boolean {
  const read = classifyAs(version)({ body, mode });
  return 'reading' in read && reading !== undefined && isSameReading(read.reading, reading);
}

/** Every event is in its orders, or waits because one of them has refused it. */
function refusedFault({ events, orders }: MemoryTables): string | undefined {
  const missing = [...events.values()].find(
    ({ record, outcome, eventId = '', reading, assignedOrderIds }) => {
      if (record !== eventRecord.event || outcome !== 'applied' || reading === undefined) return false;
      const ids = reading.orderId === null ? assignedOrderIds : [reading.orderId];
      return ids.some((id) => !orders.get(`live:order:${id}`)?.facts.includes(eventFact(eventId, reading)));
    },
  );
  return missing && `${missing.eventId} is applied, and an order lacks it`;
}

/** A fresh consumer that gets every body as it was read last, one after the other, and the same judgements. */
async function freshTables(
  { tables, keepsTransactions }: ReturnType<typeof createWorld>,
  now: number,
): Promise<MemoryTables> {
  const fresh = createWorldTables(keepsTransactions);
  const { store } = fresh.open();
  const rows = [...tables.events.values()].filter((row) => isCounted(row) && row.reading !== undefined);
  // The hash of the old body is the new body.
  const rowOf = (body: Uint8Array = Buffer.alloc(0)) =>
    rows.find(({ bodySha256 }) => bodySha256 === Buffer.from(body).toString());
  const classify: Classify = ({ body }) => {
    const { eventId = '', reading } = rowOf(body) ?? {};
    return { kind: 'event', eventId, reading: reading as Reading };
  };
  const consume = consumerOver(store, { classify, now: () => new Date(now) });
  const isConflict = ({ record }: EventRow) => Number(record !== eventRecord.event);
  for (const { bodySha256 } of rows.toSorted((a, b) => isConflict(a) - isConflict(b)))
    await consume(sqsEvent({ body: Buffer.from(bodySha256) }));
  const later = () => new Date(now + 3_600_000);
  const parts = { store, eventRetentionDays: undefined, now: later, pause: async () => {} };
  for (let pass = 0; pass < 2; pass += 1)
    for (const eventId of new Set(rows.map((row) => row.eventId ?? '')))
      await repair(parts, { mode: 'live', eventId }, (stored) => ({
        rows: stored.map((row) => {
          const { judged } = rowOf(row.body) ?? {};
          const { waiting, ...ended } = row;
          return judged === undefined
            ? row
            : { ...ended, ...(row.record === eventRecord.event && waiting && { waiting }), judged };
        }),
      }));
  return fresh;
}

/** Everything that is derived. */
function texts({ orders, transactions, events }: MemoryTables): readonly string[] {
  const counted = [...events.values()].filter(isCounted).map((row) => {
    const { eventId, record, outcome, waiting, assignedOrderIds, reading } = row;
    return [eventId, record.split(':')[0], outcome, waiting ?? '', assignedOrderIds, reading];
  });
  const facts = [...orders].map(([key, row]) => [key, row.facts.filter(isDerived).map(withoutHash).sort()]);
  const entries = [...transactions].map(([key, row]) => [key, row.entries.map(withoutHash).sort()]);
  const sorted = (list: readonly (readonly unknown[])[]) =>
    list
      .filter(([, texts]) => !Array.isArray(texts) || texts.length > 0)
      .map((entry) => JSON.stringify(entry))
      .sort();
  return [...sorted(facts), ...sorted(entries), ...counted.map((row) => JSON.stringify(row))];
}

const isDerived = (text: string): boolean => parseFact(text).kind !== 'resolved';
/** The mark of a conflict names the bytes, which are others in the fresh tables. */
const withoutHash = (text: string): string => {
  const fact = parseFact(text);
  return fact.kind === 'conflict' ? `conflict ${fact.eventId}` : text;
};
