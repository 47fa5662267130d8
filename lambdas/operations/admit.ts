import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { currentFacts } from '../domain/counted-events.ts';
import type { RouteRequest, RouteResult } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/stores.ts';
import { type ActUnderWay, conflict, eventOf, openAct } from './act.ts';
import { readActRequest } from './act-request.ts';
import { planAdmission } from './admission.ts';
import { type Admitted, admitAsPlanned, refused } from './carry-out-admission.ts';
import { findJudgedRow, type JudgedRow, standingOf } from './judged-row.ts';
import { changedMeanwhile, endWait, judgedBy } from './judgement.ts';
import type { OperationsParts } from './parts.ts';

/** `POST /operations/admit`: what waits goes through the consumer's steps, under the order that is named. */
export async function postAdmit(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
): Promise<RouteResult> {
  const { subject, ...request } = readActRequest(body, ['event_id', 'body_sha256', 'event_name', 'order_id']);
  if (subject.event_name !== undefined) return refuseName(subject.event_name);
  for (let attempt = 0; attempt < judgementAttemptsMax; attempt += 1) {
    const act = openAct(parts, 'admit', { ...request, caller });
    const found = await findJudgedRow(act, subject);
    if (!found.ok) return found;
    const admitted = await admitRow(act, found, subject.order_id);
    if (admitted.kind === 'refused') return admitted.refusal;
    if (admitted.kind === 'changed') continue;
    const { judged } = admitted;
    if (judged !== undefined) await auditAdmission(act, found.row, judged);
    return act.respond({ changed: admitted.kind === 'admitted', ...(judged && { decision: judged }) });
  }
  return changedMeanwhile;
}

const refuseName = (eventName: string): RouteResult =>
  conflict(
    `An event name is not admitted. Give ${JSON.stringify(eventName)} a meaning in the setting ` +
      'eventMeanings, deploy, and replay its events; or dismiss it.',
  );

async function auditAdmission(act: ActUnderWay, row: EventRow, judged: Judgement): Promise<void> {
  const { eventId, bodySha256, orderId, assignedOrderId } = row;
  const { by, at, reason, orderId: given } = judged;
  const subject = {
    ...{ by, at, reason, bodySha256 },
    ...(eventId !== undefined && { eventId }),
    ...(given !== undefined && { orderId: given }),
  };
  await act.audit(subject, { key: row.key, orderIds: [orderId, assignedOrderId, given] });
}

async function admitRow(act: ActUnderWay, found: JudgedRow, given: string | undefined): Promise<Admitted> {
  const { row } = found;
  const standing = standingOf(row, act.meaningOf);
  if (standing.kind === 'judged' && standing.judged.verdict === 'admitted')
    return admitAgain(act, row, { judged: standing.judged, given });
  const { waitingKind } = standing;
  if (waitingKind === undefined) return admitDone(act, row, given);
  const plan = planAdmission({ ...found, waitingKind, given, meaningOf: act.meaningOf });
  return admitAsPlanned(act, row, { plan, waitingKind });
}

/** The row does not wait: it is in its order, or has none to be in. */
async function admitDone(act: ActUnderWay, row: EventRow, given: string | undefined): Promise<Admitted> {
  const orderId = row.assignedOrderId ?? row.orderId;
  if (row.outcome !== 'applied') {
    return refused(
      `${eventOf(row)} does not wait: its outcome is ${row.outcome}. There is nothing to admit.`,
    );
  }
  if (given === undefined || given === orderId) return { kind: 'already' };
  // An event of one transaction in two orders is shown under one of them. A replay may have taken it out.
  const others = currentFacts((await act.orders.get({ mode: act.mode, id: given }))?.facts ?? []);
  if (row.fact !== undefined && others.has(row.fact)) return { kind: 'already' };
  return refused(
    `${eventOf(row)} does not wait: it is applied to the order ${JSON.stringify(orderId)}. ` +
      'It counts in one order only.',
  );
}

interface Again {
  readonly judged: Judgement;
  readonly given: string | undefined;
}

/** What may be left to do after the wait has ended: the body of an event then expires. */
async function admitAgain(act: ActUnderWay, row: EventRow, { judged, given }: Again): Promise<Admitted> {
  if (given !== undefined && given !== judged.orderId) {
    return { kind: 'refused', refusal: judgedBy(row, judged) };
  }
  if (row.outcome === 'applied') {
    const done = await admitDone(act, row, judged.orderId);
    if (done.kind !== 'already') return done;
  }
  await endWait(act, row, { expected: { judged }, judged });
  return { kind: 'already', judged };
}
