import type { ReadEvent } from '../consumer/classify.ts';
import { conflictRow, eventRow, quarantineRow } from '../consumer/event-rows.ts';
import { isSameReading, type Reading } from '../domain/reading.ts';
import type { RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import { isConflict, isOwn } from '../projection/contributions.ts';
import type { Plan } from '../projection/project.ts';
import type { Intention } from '../projection/repair.ts';
import { FieldError } from './act-request.ts';
import { judgedRow, kindOf } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';
import { conflict, nameOf } from './refusals.ts';

export const refuseUnrecognised = (row: EventRow, reason: string): RouteResult =>
  conflict(
    `${nameOf(row)} is no event for this version either (${reason}), so there is nothing to admit. ` +
      'Deploy a version that reads it, or dismiss it.',
  );

export const withoutBody = (row: EventRow): RouteResult =>
  conflict(
    `${nameOf(row)} cannot be admitted: its body ${row.erased ? 'was erased' : 'has expired'}. Dismiss it.`,
  );

export const stop = (refusal: RouteResult): Intention<RouteResult> => ({ kind: 'stop', stop: refusal });

export interface Judging {
  readonly rows: readonly EventRow[];
  readonly row: EventRow;
  readonly judged: Judgement;
  readonly given: string | undefined;
}

/** What the admission of a row means for the rows under its id. Throws FieldError when the order is wrong. */
export function intentionFor(parts: OperationsParts, judging: Judging): Intention<RouteResult> {
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
