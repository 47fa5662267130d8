import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { eventNameKey, orderKey } from '../contract/schema.ts';
import type { Mode } from '../domain/signature.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Changes, EventNameState } from '../ports/stores.ts';
import { isOwn } from '../projection/contributions.ts';
import { ordersOfRow } from '../projection/layout.ts';
import { type About, type ActUnderWay, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { findJudgedRow, judgedRow, kindOf } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';
import { busy, conflict, judgedBy, nameOf } from './refusals.ts';

/**
 * `POST /operations/dismiss`: what waits no longer does, and the orders stay as they are. Later facts are not
 * kept out: a dismissed refund whose payment arrives still joins it.
 */
export async function postDismiss(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['event_id', 'body_sha256', 'event_name']);
  const act = openAct(parts, 'dismiss', { ...request, caller });
  const { event_id: eventId, body_sha256: bodySha256, event_name: eventName } = subject;
  if (eventName !== undefined) return dismissName(parts, act, eventName);
  if (eventId === undefined && bodySha256 === undefined)
    throw new FieldError('event_id', undefined, 'an event id, or a body_sha256');
  return dismissBody(parts, act, { eventId, bodySha256 });
}

interface DismissedBody {
  /** Absent for a body that is no event. */
  readonly eventId: string | undefined;
  readonly bodySha256: string | undefined;
}

/** No repair, because nothing follows from it: so one body of any number under an id can be dismissed. */
async function dismissBody(
  parts: OperationsParts,
  act: ActUnderWay,
  subject: DismissedBody,
): Promise<RouteResult> {
  const { eventId, bodySha256 } = subject;
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const rows = await findRows(parts, act.mode, subject);
    const row = findJudgedRow(rows, bodySha256);
    if (row === undefined) return missing(act.mode, subject);
    const refusal = whyNot(row);
    if (refusal !== undefined) return refusal;
    if (row.waiting === undefined) return act.respond({ plans: [], changed: false, decision: row.judged });
    const after = judgedRow(parts, row, { ...admissionOf(row), verdict: 'dismissed', ...act.decision });
    // The row of the event is the lock on its id.
    const lock = rows.filter((other) => isOwn(other) && other !== row);
    const events = [...lock.map((own) => ({ before: own, after: own })), { before: row, after }];
    const about = {
      subject: { ...(eventId && { eventId }), ...(bodySha256 && { bodySha256 }) },
      partitions: [row.key, ...ordersOfRow(row).map((id) => orderKey(act.mode, id))],
    };
    if (await commit(act, about, { events }))
      return act.respond({ plans: [{ events, orders: [] }], changed: true });
  }
  return busy(1);
}

/** An admission stays: what an operator counted is not taken out of an order by a dismissal. */
function admissionOf({ judged }: EventRow): Pick<Judgement, 'orderId' | 'admittedAt'> {
  if (judged === undefined) return {};
  const { verdict, orderId, admittedAt = verdict === 'admitted' ? judged.at : undefined } = judged;
  return { ...(orderId && { orderId }), ...(admittedAt && { admittedAt }) };
}

async function findRows(
  { events }: OperationsParts,
  mode: Mode,
  { eventId, bodySha256 = '' }: DismissedBody,
): Promise<readonly EventRow[]> {
  if (eventId === undefined) {
    const row = await events.findUnrecognised(mode, bodySha256);
    return row === undefined ? [] : [row];
  }
  return bodySha256 === '' ? events.find(mode, eventId) : events.findBody(mode, eventId, bodySha256);
}

const missing = (mode: Mode, { eventId, bodySha256 }: DismissedBody): RouteResult =>
  notFound(
    eventId === undefined
      ? `No ${mode} body that is no event has the SHA-256 ${bodySha256}.`
      : bodySha256 === undefined
        ? `No ${mode} event has the id ${JSON.stringify(eventId)}.`
        : `No body of the ${mode} event ${JSON.stringify(eventId)} has the SHA-256 ${bodySha256}.`,
  );

/** The refusal for a row that was admitted, or never waited. */
function whyNot(row: EventRow): RouteResult | undefined {
  if (row.waiting !== undefined) return undefined;
  if (row.judged?.verdict === 'admitted') return judgedBy(row, row.judged);
  if (row.judged !== undefined && kindOf(row) !== undefined) return undefined;
  return conflict(
    `${nameOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to dismiss.`,
  );
}

/** A write that concerns no order. Returns whether the rows were as they were read. */
export async function commit(
  act: ActUnderWay,
  about: About,
  changes: Partial<Pick<Changes, 'events' | 'names'>>,
): Promise<boolean> {
  const acts = act.actsOn(about.partitions, about);
  const nothing = { events: [], names: [], transactions: [], orders: [] };
  const { kind } = await act.store.commit({ ...nothing, ...changes, acts });
  return kind === 'committed';
}

async function dismissName(
  parts: OperationsParts,
  act: ActUnderWay,
  eventName: string,
): Promise<RouteResult> {
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const row = await parts.events.getEventName(act.mode, eventName);
    if (row === undefined)
      return notFound(
        `No ${act.mode} event has had the name ${JSON.stringify(eventName)} without a meaning.`,
      );
    const { waiting, ...ended } = row;
    if (waiting === undefined && row.judged !== undefined)
      return act.respond({ plans: [], changed: false, decision: row.judged });
    if (waiting === undefined)
      return conflict(
        `The event name ${JSON.stringify(eventName)} does not wait. There is nothing to dismiss.`,
      );
    const after: EventNameState = { ...ended, judged: { verdict: 'dismissed', ...act.decision } };
    const about = { subject: { eventName }, partitions: [eventNameKey(act.mode, eventName)] };
    if (!(await commit(act, about, { names: [{ before: row, after }] }))) continue;
    const states = { before: { outcome: null, waiting }, after: { outcome: null, waiting: null } };
    return act.respond({
      plans: [],
      changed: true,
      names: [{ event_id: row.eventId, body_sha256: null, ...states }],
    });
  }
  return busy(1);
}
