import { eventKey } from '../contract/schema.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Intention } from '../projection/repair.ts';
import { type ActUnderWay, openAct } from './act.ts';
import { FieldError, readActRequest } from './act-request.ts';
import { intentionFor, refuseUnrecognised, stop, withoutBody } from './admission.ts';
import { findJudgedRow } from './judged-row.ts';
import type { OperationsParts } from './parts.ts';
import { conflict, judgedBy, nameOf, refusalOf } from './refusals.ts';

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

const missing = (
  { mode }: ActUnderWay,
  { eventId, bodySha256 }: Admission,
  rows: readonly EventRow[],
): RouteResult =>
  rows.length === 0
    ? notFound(`No ${mode} event has the id ${JSON.stringify(eventId)}.`)
    : notFound(`No body of the ${mode} event ${JSON.stringify(eventId)} has the SHA-256 ${bodySha256}.`);
