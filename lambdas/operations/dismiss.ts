import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { eventKey, eventNameKey } from '../contract/schema.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Changes, EventNameState } from '../ports/stores.ts';
import type { Intention } from '../projection/repair.ts';
import { type About, type ActUnderWay, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { findJudgedRow, judgedRow, kindOf } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';
import { busy, conflict, judgedBy, nameOf, refusalOf } from './refusals.ts';

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
  if (eventId !== undefined) return dismissEvent(parts, act, { eventId, bodySha256 });
  if (bodySha256 !== undefined) return dismissUnrecognised(parts, act, bodySha256);
  throw new FieldError('event_id', undefined, 'an event id, or a body_sha256');
}

async function dismissEvent(
  parts: OperationsParts,
  act: ActUnderWay,
  { eventId, bodySha256 }: { readonly eventId: string; readonly bodySha256: string | undefined },
): Promise<RouteResult> {
  const { mode } = act;
  let former: Judgement | undefined;
  const about = {
    subject: { eventId, ...(bodySha256 && { bodySha256 }) },
    partitions: [eventKey(mode, eventId)],
  };
  const result = await act.repair({ mode, eventId }, about, (rows): Intention<RouteResult> => {
    const row = findJudgedRow(rows, bodySha256);
    if (row === undefined) return { kind: 'stop', stop: missing(mode, eventId, bodySha256) };
    const refusal = whyNot(row);
    if (refusal !== undefined) return { kind: 'stop', stop: refusal };
    former = row.waiting === undefined ? row.judged : undefined;
    const dismissed = judgedRow(parts, row, { verdict: 'dismissed', ...act.decision });
    return { kind: 'intend', rows: former ? rows : rows.map((other) => (other === row ? dismissed : other)) };
  });
  const refusal = refusalOf(result, eventId);
  if (refusal !== undefined || result.kind !== 'done') return refusal ?? missing(mode, eventId, bodySha256);
  return act.respond({ plans: [result.plan], changed: result.isChanged, decision: former });
}

const missing = (mode: string, eventId: string, bodySha256: string | undefined): RouteResult =>
  notFound(
    bodySha256 === undefined
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

async function dismissUnrecognised(
  parts: OperationsParts,
  act: ActUnderWay,
  bodySha256: string,
): Promise<RouteResult> {
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const row = await parts.events.findUnrecognised(act.mode, bodySha256);
    if (row === undefined)
      return notFound(`No ${act.mode} body that is no event has the SHA-256 ${bodySha256}.`);
    const refusal = whyNot(row);
    if (refusal !== undefined) return refusal;
    if (row.waiting === undefined) return act.respond({ plans: [], changed: false, decision: row.judged });
    const after = judgedRow(parts, row, { verdict: 'dismissed', ...act.decision });
    const events = [{ before: row, after }];
    const about = { subject: { bodySha256 }, partitions: [row.key] };
    if (await commit(act, about, { events }))
      return act.respond({ plans: [{ events, orders: [] }], changed: true });
  }
  return busy(1);
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
