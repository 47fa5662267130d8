import { bodiesBytesMax, bodiesMax } from '../contract/operations-limits.ts';
import { eventKey, unrecognisedKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { type BodyView, bodyView } from '../http-api/body-view.ts';
import { ParameterError, readMode, refuseUnknown } from '../http-api/parameters.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import { actsOn, eventNotFound, findBodyOfEvent, findEvent } from './event.ts';
import { type ActView, type EventRecord, readRecords, type StoredRecord } from './event-record.ts';
import type { OperationsParts } from './parts.ts';

/** The response of the routes below `/operations/bodies/`. It holds customer data. */
export interface EventBodies {
  /** `null` for a body that is no event. */
  readonly id: string | null;
  readonly mode: Mode;
  readonly records: readonly RecordWithBody[];
  /** Bodies were left out to bound the response: `body_sha256` selects one of them. */
  readonly more: boolean;
  readonly acts: readonly ActView[];
}

export interface RecordWithBody extends EventRecord, BodyView {}

const hashForm = /^[0-9a-f]{64}$/;

export async function getEventBodies(
  parts: OperationsParts,
  { path, query }: RouteRequest,
): Promise<RouteResult> {
  refuseUnknown(query, ['mode', 'body_sha256']);
  const mode = readMode(query);
  const id = path['event_id'] ?? '';
  const wanted = query['body_sha256'];
  if (wanted !== undefined) refuseOtherThanHash(wanted);
  const rows = await (wanted === undefined
    ? findEvent(parts, mode, id)
    : findBodyOfEvent(parts, { mode, id, bodySha256: wanted }));
  if (rows.length === 0) return eventNotFound(mode, id);
  const [all, acts] = await Promise.all([readRecords(parts, rows), actsOn(parts, eventKey(mode, id))]);
  const records = all.filter(({ row }) => wanted === undefined || row.bodySha256 === wanted);
  if (records.length > 0) return { ok: true, body: bodies({ id, mode, acts }, records) };
  return notFound(`No body of the ${mode} event ${JSON.stringify(id)} has the SHA-256 ${wanted}.`);
}

/** A body that is no event, which has its hash in place of an id. */
export async function getUnrecognisedBody(
  parts: OperationsParts,
  { path, query }: RouteRequest,
): Promise<RouteResult> {
  refuseUnknown(query, ['mode']);
  const mode = readMode(query);
  const sha256 = path['body_sha256'] ?? '';
  refuseOtherThanHash(sha256);
  const row = await parts.events.findUnrecognised(mode, sha256);
  if (row === undefined) return notFound(`No unrecognised ${mode} body has the SHA-256 ${sha256}.`);
  const [records, acts] = await Promise.all([
    readRecords(parts, [row]),
    actsOn(parts, unrecognisedKey(mode, sha256)),
  ]);
  return { ok: true, body: bodies({ id: null, mode, acts }, records) };
}

function refuseOtherThanHash(given: string): void {
  if (hashForm.test(given)) return;
  throw new ParameterError('body_sha256', given, 'a SHA-256 in 64 lowercase hexadecimal digits');
}

/** With the first bodies that fit; the others are left out, not their records. */
function bodies(
  subject: Pick<EventBodies, 'id' | 'mode' | 'acts'>,
  records: readonly StoredRecord[],
): EventBodies {
  let count = 0;
  let bytes = 0;
  const shown = records.map(({ row, view }): RecordWithBody => {
    const whole = { ...view, ...bodyView(row.body) };
    if (row.body === undefined) return whole;
    count += 1;
    bytes += Buffer.byteLength(JSON.stringify(whole));
    return count <= bodiesMax && bytes <= bodiesBytesMax ? whole : { ...view, ...bodyView(undefined) };
  });
  const more = shown.some((record) => record.has_body && record.body_base64 === null);
  return { ...subject, records: shown, more };
}
