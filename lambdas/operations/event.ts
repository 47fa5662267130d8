import { bodiesOfEventMax, eventIdBytesMax } from '../contract/limits.ts';
import { eventKey } from '../contract/schema.ts';
import { fitsKey } from '../domain/payment-event.ts';
import type { Mode } from '../domain/signature.ts';
import { readMode, refuseUnknown } from '../http-api/parameters.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { EventRow } from '../ports/rows.ts';
import { type ActView, actView, type EventRecord, readRecords } from './event-record.ts';
import type { OperationsParts } from './parts.ts';

/** The response of `GET /operations/events/{event_id}`: every body under one id, without customer data. */
export interface EventRecords {
  readonly id: string;
  readonly mode: Mode;
  /** The event first, the others as they were received. */
  readonly records: readonly EventRecord[];
  /** What operators did, oldest first. */
  readonly acts: readonly ActView[];
}

export async function getEvent(parts: OperationsParts, { path, query }: RouteRequest): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const id = path['event_id'] ?? '';
  const rows = await findEvent(parts, mode, id);
  if (rows.length === 0) return eventNotFound(mode, id);
  const [records, acts] = await Promise.all([readRecords(parts, rows), actsOn(parts, eventKey(mode, id))]);
  const body: EventRecords = { id, mode, records: records.map(({ view }) => view), acts };
  return { ok: true, body };
}

/** No event can have a longer id, and DynamoDB would refuse the key. */
export const findEvent = async (
  { events }: OperationsParts,
  mode: Mode,
  id: string,
): Promise<readonly EventRow[]> => (fitsKey(id, eventIdBytesMax) ? events.find(mode, id) : []);

/** The same with one of the bodies, also where there are too many to read. */
export async function findBodyOfEvent(
  parts: OperationsParts,
  { mode, id, bodySha256 }: { readonly mode: Mode; readonly id: string; readonly bodySha256: string },
): Promise<readonly EventRow[]> {
  const rows = await findEvent(parts, mode, id);
  return rows.length < bodiesOfEventMax ? rows : parts.events.findBody(mode, id, bodySha256);
}

export const eventNotFound = (mode: Mode, id: string): RouteResult =>
  notFound(`No ${mode} event has the id ${JSON.stringify(id)}.`);

export const actsOn = async ({ acts }: OperationsParts, partition: string): Promise<ActView[]> =>
  (await acts.actsOf(partition)).map(actView);
