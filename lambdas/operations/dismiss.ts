import { eventNameKey } from '../contract/schema.ts';
import { conflict, notFound } from '../http-api/problem.ts';
import type { RouteRequest } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import { changesOfRows } from '../projection/row-changes.ts';
import { type ActUnderWay, openAct, untilUnchanged } from './act.ts';
import { fields, readActRequest } from './fields.ts';
import {
  findJudgedRow,
  judgedBy,
  judgedRow,
  keyOf,
  kindOf,
  type NamedBody,
  nameOf,
  readNamedBody,
  subjectOf,
} from './judge.ts';
import type { OperationsParts } from './parts.ts';

/**
 * `POST /operations/dismiss`: what waits no longer does, and the orders stay as they are. Later facts are not
 * kept out: a dismissed refund whose payment arrives still joins it.
 */
export async function postDismiss(parts: OperationsParts, { body, caller }: RouteRequest) {
  const { event_id, body_sha256, event_name } = fields;
  const request = readActRequest(body, { event_id, body_sha256, event_name });
  const act = openAct(parts, 'dismiss', { ...request, caller });
  if (request.event_name !== undefined) return dismissName(parts, act, request.event_name);
  return dismissBody(parts, act, readNamedBody(act.mode, request));
}

/** No repair, because nothing follows from it: so one body of any number under an id can be dismissed. */
const dismissBody = (parts: OperationsParts, act: ActUnderWay, named: NamedBody) =>
  untilUnchanged(async () => {
    const { bodySha256 } = named;
    const key = keyOf(named);
    const { events: reader } = parts;
    const rows = await (bodySha256 === undefined ? reader.find(key) : reader.findBody(key, bodySha256));
    const row = findJudgedRow(rows, named);
    refuse(row);
    if (row.waiting === undefined) return act.respond([], { earlier: row.judged });
    const verdict = 'dismissed';
    const dismissed = judgedRow(parts, row, { ...admissionOf(row), verdict, ...act.decision });
    const after = rows.map((other) => (other === row ? dismissed : other));
    const events = changesOfRows({ ...parts, now: parts.now() }, rows, after);
    const result = await act.commit({ subject: subjectOf(named), partitions: [key] }, { events });
    return result === 'committed' ? act.respond([{ events }], {}) : undefined;
  });

/** Refuses a row that was admitted, or never waited. */
function refuse(row: EventRow): void {
  if (row.waiting !== undefined) return;
  if (row.judged?.verdict === 'admitted') throw judgedBy(row, row.judged);
  if (row.judged !== undefined && kindOf(row) !== undefined) return;
  throw conflict(`${nameOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to dismiss.`);
}

/** An admission stays: what an operator counted is not taken out of an order by a dismissal. */
function admissionOf({ judged }: EventRow): Pick<Judgement, 'orderId' | 'admittedAt'> {
  if (judged === undefined) return {};
  const { verdict, orderId, admittedAt = verdict === 'admitted' ? judged.at : undefined } = judged;
  return { ...(orderId && { orderId }), ...(admittedAt && { admittedAt }) };
}

const dismissName = ({ events }: OperationsParts, act: ActUnderWay, eventName: string) =>
  untilUnchanged(async () => {
    const row = await events.getEventName(act.mode, eventName);
    const name = JSON.stringify(eventName);
    if (row === undefined) throw notFound(`No ${act.mode} event has had the name ${name} without a meaning.`);
    const { waiting, ...ended } = row;
    if (waiting === undefined && row.judged !== undefined) return act.respond([], { earlier: row.judged });
    if (waiting === undefined)
      throw conflict(`The event name ${name} does not wait. There is nothing to dismiss.`);
    const judged = { verdict: 'dismissed', ...act.decision } as const;
    const names = [{ before: row, after: { ...ended, judged } }];
    const about = { subject: { eventName }, partitions: [eventNameKey(act.mode, eventName)] };
    const result = await act.commit(about, { names });
    return result === 'committed' ? act.respond([{ names }], {}) : undefined;
  });
