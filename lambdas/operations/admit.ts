import type { ReadEvent } from '../consumer/classify.ts';
import { conflictRow, eventRow, quarantineRow } from '../consumer/event-rows.ts';
import { eventKey } from '../contract/schema.ts';
import { isSameReading, type Reading } from '../domain/reading.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import { isConflict, isOwn } from '../projection/contributions.ts';
import type { Plan } from '../projection/project.ts';
import type { Intention } from '../projection/repair.ts';
import { type ActUnderWay, conflict, judgedBy, nameOf, openAct, refusalOf } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { findJudgedRow, judgedRow, kindOf } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';

/** `POST /operations/admit`: what waits counts, under the order that is named. */
export async function postAdmit(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['event_id', 'body_sha256', 'event_name', 'order_id']);
  if (subject.event_name !== undefined) return refuseName(subject.event_name);
  const act = openAct(parts, 'admit', { ...request, caller });
  const { event_id: eventId, body_sha256: bodySha256, order_id: given } = subject;
  if (eventId !== undefined) return admitUnderId(parts, act, { eventId, bodySha256, given });
  if (bodySha256 === undefined) throw new FieldError('event_id', undefined, 'an event id, or a body_sha256');
  const row = await parts.events.findUnrecognised(act.mode, bodySha256);
  if (row === undefined)
    return notFound(`No ${act.mode} body that is no event has the SHA-256 ${bodySha256}.`);
  const read = row.body && parts.classify({ body: row.body, mode: row.mode });
  if (read === undefined) return withoutBody(row);
  if (read.kind === 'unrecognised') return refuseUnrecognised(row, read.reason);
  return admitUnderId(parts, act, { eventId: read.eventId, bodySha256, given, unrecognised: row });
}

const refuseName = (eventName: string): RouteResult =>
  conflict(
    `An event name is not admitted. Give ${JSON.stringify(eventName)} a meaning in the setting ` +
      'eventMeanings, deploy, and replay its events; or dismiss it.',
  );

const refuseUnrecognised = (row: EventRow, reason: string): RouteResult =>
  conflict(
    `${nameOf(row)} is no event for this version either (${reason}), so there is nothing to admit. ` +
      'Deploy a version that reads it, or dismiss it.',
  );

const withoutBody = (row: EventRow): RouteResult =>
  conflict(
    `${nameOf(row)} cannot be admitted: its body ${row.erased ? 'was erased' : 'has expired'}. Dismiss it.`,
  );

interface Admission {
  readonly eventId: string;
  readonly bodySha256: string | undefined;
  /** The order that the operator names. */
  readonly given: string | undefined;
  /** The row of a body that an earlier version could not read. */
  readonly unrecognised?: EventRow;
}

async function admitUnderId(
  parts: OperationsParts,
  act: ActUnderWay,
  admission: Admission,
): Promise<RouteResult> {
  const { mode } = act;
  const { eventId, bodySha256, given, unrecognised } = admission;
  let former: Judgement | undefined;
  const about = {
    subject: { eventId, ...(bodySha256 && { bodySha256 }), ...(given && { orderId: given }) },
    partitions: [eventKey(mode, eventId), ...(unrecognised ? [unrecognised.key] : [])],
  };
  const result = await act.repair({ mode, eventId }, about, (rows): Intention<RouteResult> => {
    const row = unrecognised ?? findJudgedRow(rows, bodySha256);
    if (row === undefined) return stop(missing(act, admission, rows));
    const judged: Judgement = { verdict: 'admitted', ...act.decision, ...(given && { orderId: given }) };
    // One that was admitted under no order may still need one.
    const isAdmitted = row.judged?.verdict === 'admitted' && row.waiting !== 'unassigned';
    const earlier = isAdmitted ? row.judged : undefined;
    if (
      earlier !== undefined &&
      given !== undefined &&
      given !== earlier.orderId &&
      given !== row.reading?.orderId
    )
      return stop(judgedBy(row, earlier));
    former = earlier;
    if (earlier !== undefined) return { kind: 'intend', rows };
    return intentionFor(parts, { rows, row, judged, given });
  });
  const refusal = refusalOf(result, eventId);
  if (refusal !== undefined || result.kind !== 'done')
    return refusal ?? conflict(`${nameOf({ eventId, bodySha256: '' })} does not wait.`);
  return act.respond({ plans: [result.plan], changed: result.isChanged, decision: former });
}

const stop = (refusal: RouteResult): Intention<RouteResult> => ({ kind: 'stop', stop: refusal });

const missing = (
  { mode }: ActUnderWay,
  { eventId, bodySha256 }: Admission,
  rows: readonly EventRow[],
): RouteResult =>
  rows.length === 0
    ? notFound(`No ${mode} event has the id ${JSON.stringify(eventId)}.`)
    : notFound(`No body of the ${mode} event ${JSON.stringify(eventId)} has the SHA-256 ${bodySha256}.`);

interface Judging {
  readonly rows: readonly EventRow[];
  readonly row: EventRow;
  readonly judged: Judgement;
  readonly given: string | undefined;
}

/** What the admission of a row means for the rows under its id. Throws FieldError when the order is wrong. */
function intentionFor(parts: OperationsParts, judging: Judging): Intention<RouteResult> {
  const { rows, row, judged, given } = judging;
  const replaceRow = (changed: EventRow) => rows.map((other) => (other === row ? changed : other));
  switch (kindOf(row)) {
    case 'unassigned':
      if (given === undefined) throw orderNeeded();
      return { kind: 'intend', rows: replaceRow(judgedRow(parts, row, judged)), check: refuseFull(row) };
    case 'order_refused': {
      expectOrder(given, row.reading?.orderId ?? row.assignedOrderIds[0] ?? null);
      return { kind: 'intend', rows: replaceRow(judgedRow(parts, row, judged)), check: refuseFull(row) };
    }
    case 'conflict': {
      const own = rows.find(isOwn);
      const orderId = row.reading?.orderId ?? null;
      if (orderId !== null) expectOrder(given, orderId);
      else if (given === undefined && !sharesTransaction(row.reading, own?.reading)) throw orderNeeded();
      return { kind: 'intend', rows: replaceRow(judgedRow(parts, row, judged)), check: refuseFull(row) };
    }
    case 'quarantined':
    case 'unrecognised':
      return recordAnew(parts, judging);
    default:
      return admitDone(row, given, rows);
  }
}

/** The row does not wait: it is in its order, or has none to be in. */
function admitDone(
  row: EventRow,
  given: string | undefined,
  rows: readonly EventRow[],
): Intention<RouteResult> {
  const orderIds = row.reading?.orderId == null ? row.assignedOrderIds : [row.reading.orderId];
  if (row.outcome !== 'applied')
    return stop(
      conflict(`${nameOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to admit.`),
    );
  if (given === undefined || orderIds.includes(given)) return { kind: 'intend', rows };
  return stop(
    conflict(
      `${nameOf(row)} does not wait: it is applied to the order ${JSON.stringify(orderIds[0])}. ` +
        'It counts in one order only.',
    ),
  );
}

/**
 * The body is recorded as if its first delivery had been in order, and then given the order if it names none.
 */
function recordAnew(parts: OperationsParts, { rows, row, judged, given }: Judging): Intention<RouteResult> {
  if (row.body === undefined) return stop(withoutBody(row));
  const { body, mode, bodySha256, signature, keyId, receivedAt } = row;
  const read = parts.classify({ body, mode });
  if (read.kind === 'unrecognised') return stop(refuseUnrecognised(row, read.reason));
  const message = { body, mode, keyId, signature, receivedAt, requestId: bodySha256 };
  const received = { message, bodySha256 };
  const settings = { now: parts.now(), eventRetentionDays: parts.eventRetentionDays };
  const ended = judgedRow(parts, row, judged);
  const also = row.eventId === undefined ? [{ before: row, after: ended }] : [];
  const others = row.eventId === undefined ? rows : rows.map((other) => (other === row ? ended : other));
  if (row.eventId === undefined && read.kind === 'quarantined') {
    const quarantined = quarantineRow(received, read, settings);
    const isKnown = rows.some(({ record }) => record === quarantined.record);
    return { kind: 'intend', rows: isKnown ? rows : [...rows, quarantined], also };
  }
  const { orderId } = read.reading;
  if (orderId !== null) expectOrder(given, orderId);
  else if (given === undefined && row.reason === 'order_id_invalid') throw orderNeeded();
  const added = addRecorded(parts, others, { read, received, settings, judged });
  return { kind: 'intend', rows: added, also, check: refuseFull(row) };
}

interface Recording {
  readonly read: ReadEvent;
  readonly received: Parameters<typeof eventRow>[0];
  readonly settings: Parameters<typeof eventRow>[2];
  readonly judged: Judgement;
}

/**
 * As the event if its id is free, otherwise as another body under it that counts as well. One that is there
 * already is judged too if it waits.
 */
function addRecorded(
  parts: OperationsParts,
  rows: readonly EventRow[],
  { read, received, settings, judged }: Recording,
): readonly EventRow[] {
  const bodies = rows.filter((row) => isOwn(row) || isConflict(row));
  const known = bodies.find(
    ({ bodySha256, reading }) =>
      bodySha256 === received.bodySha256 || (reading !== undefined && isSameReading(reading, read.reading)),
  );
  if (known !== undefined)
    return rows.map((row) => (row === known && row.waiting ? judgedRow(parts, row, judged) : row));
  const { waiting: _, ...row } = (bodies.some(isOwn) ? conflictRow : eventRow)(received, read, settings);
  return [...rows, { ...row, judged }];
}

/** An order that is still full changes nothing. */
const refuseFull =
  (judged: EventRow) =>
  ({ events }: Plan): RouteResult | undefined => {
    const refused = events.find(
      ({ after }) => after.bodySha256 === judged.bodySha256 && after.reason === 'order_refused',
    )?.after;
    if (refused === undefined) return undefined;
    const orderId = refused.reading?.orderId ?? refused.assignedOrderIds[0];
    return conflict(
      `${nameOf(judged)} stays: the row of the order ${JSON.stringify(orderId)} is full. ` +
        'See too_many_events in the runbook.',
    );
  };

const orderNeeded = (): FieldError =>
  new FieldError('order_id', undefined, 'the order of the event, because it names none');

function expectOrder(given: string | undefined, known: string | null): void {
  if (given !== undefined && given !== known)
    throw new FieldError('order_id', given, `${JSON.stringify(known)}, the order of the event`);
}

const sharesTransaction = (a: Reading | undefined, b: Reading | undefined): boolean =>
  a?.transactionId != null && a.transactionId === b?.transactionId && b.orderId === null;
