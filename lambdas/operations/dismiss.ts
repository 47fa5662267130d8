import { eventNameKey } from '../contract/schema.ts';
import type { RouteRequest } from '../http-api/http-api.ts';
import { conflict, notFound } from '../http-api/problem.ts';
import type { EventRow } from '../ports/rows.ts';
import { changesOfRows } from '../projection/project.ts';
import { type ActInProgress, type OperationsParts, openAct, untilUnchanged } from './act.ts';
import { fields, readActRequest } from './fields.ts';
import {
  findJudgedRow,
  judgedBy,
  judgedRow,
  kindOf,
  type NamedBody,
  nameBody,
  nameOf,
} from './named-body.ts';

/**
 * `POST /operations/dismiss`: what waits no longer does, and the orders stay as they are. Later facts are not
 * kept out: a dismissed refund whose payment arrives still joins it.
 */
export async function postDismiss(parts: OperationsParts, { body, caller }: RouteRequest) {
  const { event_id, body_sha256, event_name } = fields;
  const request = readActRequest(body, { event_id, body_sha256, event_name });
  const act = openAct(parts, 'dismiss', { ...request, caller });
  const { event_name: eventName } = request;
  if (eventName !== undefined) return untilUnchanged(() => dismissName(parts, act, eventName));
  const named = nameBody(act.mode, request);
  return untilUnchanged(() => dismissBody(parts, act, named));
}

/** No repair, because nothing follows from it: so one body of any number under an id can be dismissed. */
async function dismissBody(parts: OperationsParts, act: ActInProgress, named: NamedBody) {
  const { key, bodySha256, subject } = named;
  const { events: reader } = parts;
  const rows = await (bodySha256 === undefined ? reader.find(key) : reader.findBody(key, bodySha256));
  const row = findJudgedRow(rows, named);
  const { judged } = row;
  if (row.waiting === undefined && judged?.verdict === 'admitted') throw judgedBy(row, judged);
  if (row.waiting === undefined && (judged === undefined || kindOf(row) === undefined))
    throw conflict(
      `${nameOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to dismiss.`,
    );
  if (row.waiting === undefined) return act.respond([], { earlier: judged });
  // Without an event id the same bytes may wait twice: without a seal, and as no event.
  const isMeant = (other: EventRow): boolean =>
    other === row || (!named.eventId && other.waiting !== undefined);
  const after = rows.map((other) => (isMeant(other) ? dismissed(parts, act, other) : other));
  const events = changesOfRows({ ...parts, now: parts.now() }, rows, after);
  const result = await act.commit({ subject, partitions: [key] }, { events });
  return result === 'committed' ? act.respond([{ events }]) : undefined;
}

/** An admission stays: what an operator counted is not taken out of an order by a dismissal. */
function dismissed(parts: OperationsParts, { decision }: ActInProgress, row: EventRow): EventRow {
  const { verdict, orderId, at, admittedAt = verdict === 'admitted' ? at : undefined } = row.judged ?? {};
  const admission = { ...(orderId && { orderId }), ...(admittedAt && { admittedAt }) };
  return judgedRow(parts, row, { ...admission, verdict: 'dismissed', ...decision });
}

async function dismissName({ events }: OperationsParts, act: ActInProgress, eventName: string) {
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
  return result === 'committed' ? act.respond([{ names }]) : undefined;
}
