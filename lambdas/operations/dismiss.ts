import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { eventNameKey, eventRecord } from '../contract/schema.ts';
import { notFound, type RouteRequest, type RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/stores.ts';
import { type ActUnderWay, conflict, eventOf, openAct } from './act.ts';
import { readActRequest } from './act-request.ts';
import { findJudgedRow, standingOf } from './judged-row.ts';
import { changedMeanwhile, claimedBy, endWait, judgedBy } from './judgement.ts';
import type { OperationsParts } from './parts.ts';

/** `undefined`: another writer changed the row since it was read. */
type Dismissed = RouteResult | undefined;

/**
 * `POST /operations/dismiss`: what waits no longer does, and the orders stay as they are. Later facts are not
 * kept out: a dismissed refund whose payment arrives still joins it.
 */
export async function postDismiss(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['event_id', 'body_sha256', 'event_name']);
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const act = openAct(parts, 'dismiss', { ...request, caller });
    const { event_name: eventName } = subject;
    const dismissed =
      eventName === undefined ? await dismissEvent(act, subject) : await dismissName(act, eventName);
    if (dismissed !== undefined) return dismissed;
  }
  return changedMeanwhile;
}

async function dismissEvent(
  act: ActUnderWay,
  subject: Parameters<typeof findJudgedRow>[1],
): Promise<Dismissed> {
  const found = await findJudgedRow(act, subject);
  if (!found.ok) return found;
  const { row } = found;
  const standing = standingOf(row, act.meaningOf);
  if (standing.kind === 'claimed') return claimedBy(row, standing.judged);
  if (standing.kind === 'done') {
    return conflict(
      `${eventOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to dismiss.`,
    );
  }
  if (standing.kind === 'judged') {
    const { judged } = standing;
    if (judged.verdict === 'admitted') return judgedBy(row, judged);
    await endWait(act, row, { expected: { judged }, judged });
    await auditDismissal(act, row, judged);
    return act.respond({ changed: false, decision: judged });
  }
  const judged: Judgement = { verdict: 'dismissed', ...act.decision };
  const { outcome, waiting = null, judged: former = null } = row;
  if (!(await endWait(act, row, { expected: { outcome, waiting, judged: former }, judged })))
    return undefined;
  await auditDismissal(act, row, judged);
  return act.respond({ changed: true });
}

async function auditDismissal(act: ActUnderWay, row: EventRow, { by, at, reason }: Judgement): Promise<void> {
  const { key, eventId, bodySha256, orderId, assignedOrderId } = row;
  const known = assignedOrderId ?? orderId;
  const subject = {
    ...{ by, at, reason, bodySha256 },
    ...(eventId !== undefined && { eventId }),
    ...(known !== undefined && { orderId: known }),
  };
  await act.audit(subject, { key, orderIds: [orderId, assignedOrderId] });
}

async function dismissName(act: ActUnderWay, eventName: string): Promise<Dismissed> {
  const { mode, decision, judgements } = act;
  const found = await judgements.getEventName(mode, eventName);
  if (found === undefined) {
    return notFound(`No ${mode} event has had the name ${JSON.stringify(eventName)} without a meaning.`);
  }
  const { waiting, judged: former, eventId } = found;
  const key = eventNameKey(mode, eventName);
  const row = { key, record: eventRecord.eventName, mode, eventId, ...(waiting && { waiting }) };
  const judged: Judgement | undefined =
    waiting === undefined ? former : { verdict: 'dismissed', ...decision };
  if (judged === undefined) {
    return conflict(
      `The event name ${JSON.stringify(eventName)} does not wait. There is nothing to dismiss.`,
    );
  }
  if (waiting !== undefined) {
    if (!(await judgements.judge({ row, expected: { waiting }, judged, waiting: null }))) return undefined;
    act.rows.endWait(row);
  }
  const { by, at, reason } = judged;
  await act.audit({ by, at, reason, eventName }, { key, orderIds: [] });
  return act.respond({ changed: waiting !== undefined, decision: judged });
}
