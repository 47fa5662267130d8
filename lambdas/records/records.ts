import type * as api from '@payhooks/order-client';
import { eventIdBytesMax } from '../contract/limits.ts';
import { levelKinds } from '../contract/metrics.ts';
import { bodiesBytesMax, bodiesMax } from '../contract/operations-limits.ts';
import { eventKey, unrecognisedKey } from '../contract/schema.ts';
import { countEvents } from '../domain/counted-events.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { bodyView } from '../http-api/body-view.ts';
import { type Route, type RouteRequest, readSubject } from '../http-api/http-api.ts';
import { refuseUnknown, wrongParameter } from '../http-api/parameters.ts';
import { notFound } from '../http-api/problem.ts';
import { eventRecordView, factOf, inOrder } from '../order-query/event-view.ts';
import { actView } from '../order-query/order-surroundings.ts';
import { type EventRow, ordersOfRow } from '../ports/rows.ts';
import { listReceived } from './received.ts';
import { listWaiting, type RecordsParts } from './waiting.ts';

/** What operators see, and do not change. */
export const recordRoutes = {
  'GET /operations/waiting': listWaiting,
  'GET /operations/waiting/counts': getWaitingCounts,
  'GET /operations/events': listReceived,
  'GET /operations/events/{event_id}': getEvent,
  'GET /operations/bodies/events/{event_id}': getEventBodies,
  'GET /operations/bodies/{body_sha256}': getUnrecognisedBody,
  'GET /operations/keys': getKeys,
} as const satisfies Readonly<Record<string, Route<RecordsParts>>>;

const modes: readonly Mode[] = ['live', 'sandbox'];

/** `GET /operations/waiting/counts`: every kind in both modes, one mode after the other. */
async function getWaitingCounts(
  { waiting }: RecordsParts,
  { query }: RouteRequest,
): Promise<api.WaitingCounts> {
  refuseUnknown(query, []);
  const countsOf = (mode: Mode) =>
    Promise.all(
      levelKinds.map(async (kind) => {
        const count = await waiting.count(mode, kind);
        const oldest = count === 0 ? undefined : await waiting.oldest(mode, kind);
        const attention = kind === 'attention' && count > 0 && (await waiting.attentions(mode));
        return { mode, kind, count, oldest_recorded_at: oldest ?? null, ...(attention && { attention }) };
      }),
    );
  return { counts: [...(await countsOf('live')), ...(await countsOf('sandbox'))] };
}

/** `GET /operations/keys`: every private key that a signature has matched, in both modes. */
async function getKeys({ keyUses }: RecordsParts, { query }: RouteRequest): Promise<api.KeyUses> {
  refuseUnknown(query, []);
  const uses = (await Promise.all(modes.map((mode) => keyUses.keyUses(mode)))).flat();
  return {
    keys: uses.map(({ mode, keyId, matchedAt }) => ({ mode, key_id: keyId, last_matched_at: matchedAt })),
  };
}

/** `GET /operations/events/{event_id}`: every body under one id, without customer data. */
async function getEvent(parts: RecordsParts, request: RouteRequest): Promise<api.EventRecords> {
  const { mode, id } = readSubject(request, 'event_id');
  const { records, acts } = await readRecords(parts, await findEvent(parts, mode, id));
  return { id, mode, records: records.map(({ view }) => view), acts };
}

/**
 * `GET /operations/bodies/events/{event_id}`: the same with the bodies, which hold customer data; of any
 * number of them, the one with `body_sha256`.
 */
async function getEventBodies(parts: RecordsParts, request: RouteRequest): Promise<api.EventBodies> {
  const { mode, id } = readSubject(request, 'event_id', ['body_sha256']);
  const wanted = request.query['body_sha256'];
  if (wanted !== undefined) refuseOtherThanHash(wanted);
  const all = await findEvent(parts, mode, id);
  const rows = wanted === undefined ? all : await parts.events.findBody(eventKey(mode, id), wanted);
  const isMeant = (row: EventRow): boolean => wanted === undefined || row.bodySha256 === wanted;
  if (!rows.some(isMeant))
    throw notFound(`No body of the ${mode} event ${JSON.stringify(id)} has the SHA-256 ${wanted}.`);
  const { records, acts } = await readRecords(parts, rows);
  return { id, mode, ...withBodies(records.filter(({ row }) => isMeant(row))), acts };
}

/** `GET /operations/bodies/{body_sha256}`: a body that is no event, which has its hash in place of an id. */
async function getUnrecognisedBody(parts: RecordsParts, request: RouteRequest): Promise<api.EventBodies> {
  const { mode, id: sha256 } = readSubject(request, 'body_sha256');
  refuseOtherThanHash(sha256);
  const rows = await parts.events.find(unrecognisedKey(mode, sha256));
  if (rows.length === 0) throw notFound(`No unrecognised ${mode} body has the SHA-256 ${sha256}.`);
  const { records, acts } = await readRecords(parts, rows);
  return { id: null, mode, ...withBodies(records), acts };
}

async function findEvent({ events }: RecordsParts, mode: Mode, id: string): Promise<readonly EventRow[]> {
  // No event can have a longer id, and DynamoDB would refuse the key.
  const rows = fitsKey(id, eventIdBytesMax) ? await events.find(eventKey(mode, id)) : [];
  if (rows.length > 0) return rows;
  throw notFound(`No ${mode} event has the id ${JSON.stringify(id)}.`);
}

function refuseOtherThanHash(given: string): void {
  if (/^[0-9a-f]{64}$/.test(given)) return;
  throw wrongParameter('body_sha256', given, 'a SHA-256 in 64 lowercase hexadecimal digits');
}

interface StoredRecord {
  readonly row: EventRow;
  readonly view: api.StoredEventRecord;
}

/** The event first, the others as they were received, and what operators did to them. */
async function readRecords({ orders, acts }: RecordsParts, rows: readonly EventRow[]) {
  const ids = [...new Set(rows.flatMap(ordersOfRow))];
  const [done, ...inOrders] = await Promise.all([
    acts.actsOf(rows[0]?.key ?? ''),
    ...ids.map((id) => orders.get({ mode: rows[0]?.mode ?? 'live', id })),
  ]);
  const counted = new Set(inOrders.flatMap((order) => [...countEvents(order?.facts ?? []).texts.values()]));
  return {
    records: inOrder(rows).map((row): StoredRecord => ({ row, view: recordView(row, counted) })),
    acts: done.map(actView),
  };
}

function recordView(row: EventRow, counted: ReadonlySet<string>): api.StoredEventRecord {
  const { judged, erased } = row;
  return {
    // The key is the kind, and for all but two kinds the hash of the body.
    record: row.record.split(':')[0] as api.StoredEventRecord['record'],
    ...eventRecordView(row),
    waiting: row.waiting ?? null,
    has_body: row.body !== undefined,
    judged: judged
      ? { verdict: judged.verdict, ...decisionView(judged), order_id: judged.orderId ?? null }
      : null,
    erased: erased ? decisionView(erased) : null,
    counts: counted.has(factOf(row) ?? ''),
  };
}

const decisionView = ({ by, at, reason }: NonNullable<EventRow['erased']>) => ({ by, at, reason });

/** With the first bodies that fit; the others are left out, not their records. */
function withBodies(records: readonly StoredRecord[]): Pick<api.EventBodies, 'records' | 'more'> {
  let [count, bytes] = [0, 0];
  const shown = records.map(({ row, view }) => {
    const whole = { ...view, ...bodyView(row.body) };
    if (row.body === undefined) return whole;
    count += 1;
    bytes += Buffer.byteLength(JSON.stringify(whole));
    return count <= bodiesMax && bytes <= bodiesBytesMax ? whole : { ...view, ...bodyView(undefined) };
  });
  return { records: shown, more: shown.some((record) => record.has_body && record.body_base64 === null) };
}
