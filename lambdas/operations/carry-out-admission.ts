import { applyEvent } from '../consumer/apply.ts';
import { createEventNames } from '../consumer/event-names.ts';
import { recordEvent } from '../consumer/record-event.ts';
import { orderKey } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import { fullFact } from '../domain/fact.ts';
import type { Refusal } from '../http-api/route.ts';
import type { Judgement } from '../ports/decisions.ts';
import type { EventRow } from '../ports/stores.ts';
import { type ActUnderWay, conflict, eventOf } from './act.ts';
import { type Admission, planAssignment } from './admission.ts';
import { countAgain } from './count-again.ts';
import { standingOf } from './judged-row.ts';
import { claimedBy, endWait, judgedBy, takeBack } from './judgement.ts';

interface Refused {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

/** `already`: nothing is left to do · `changed`: another writer changed the row since it was read. */
export type Admitted =
  | { readonly kind: 'admitted'; readonly judged: Judgement }
  | { readonly kind: 'already'; readonly judged?: Judgement }
  | { readonly kind: 'changed' }
  | Refused;

export const refused = (detail: string): Refused => ({ kind: 'refused', refusal: conflict(detail) });

interface Planned {
  readonly plan: Admission;
  readonly waitingKind: WaitingKind;
}

/**
 * Claims the row, takes the consumer's steps, and ends the wait. A crash leaves the row waiting with its
 * claim, and the same admission completes it.
 */
export async function admitAsPlanned(
  act: ActUnderWay,
  row: EventRow,
  { plan, waitingKind }: Planned,
): Promise<Admitted> {
  // Left by an admission that was interrupted, or is under way.
  const claim = row.judged?.verdict === 'admitted' ? row.judged : undefined;
  if (plan.kind === 'refused') return giveUp(act, row, { claim, detail: plan.detail });
  if (claim !== undefined && claim.orderId !== plan.orderId) {
    return { kind: 'refused', refusal: claimedBy(row, claim) };
  }
  const obstacle = await obstacleTo(act, plan, waitingKind);
  if (obstacle !== undefined) return giveUp(act, row, { claim, detail: obstacle });
  const judged = claim ?? (await claimRow(act, row, { orderId: plan.orderId, waitingKind }));
  if (judged === undefined) return { kind: 'changed' };
  const result = plan.kind === 'apply' ? await apply(act, plan) : await record(act, plan);
  if (result?.kind === 'changed') return result;
  if (result?.kind === 'refused') {
    await takeBack(act, row, judged);
    return result;
  }
  const isSettled = plan.kind === 'apply' && plan.routed.own !== undefined;
  await endWait(act, row, { expected: { judged }, judged, isSettled });
  return { kind: 'admitted', judged };
}

interface GivenUp {
  readonly claim: Judgement | undefined;
  readonly detail: string;
}

/** No admission can complete a claim that was left: it is taken back. */
async function giveUp(act: ActUnderWay, row: EventRow, { claim, detail }: GivenUp): Promise<Refused> {
  if (claim !== undefined) await takeBack(act, row, claim);
  return refused(detail);
}

type Feasible = Exclude<Admission, { readonly kind: 'refused' }>;

/** Why the admission is not possible, as far as reads show it; then nothing is written. */
async function obstacleTo(
  act: ActUnderWay,
  { orderId, fact, assigns }: Feasible,
  waitingKind: WaitingKind,
): Promise<string | undefined> {
  const { mode } = act;
  if (orderId === undefined || waitingKind === 'order_refused') return undefined;
  const facts = new Set((await act.orders.get({ mode, id: orderId }))?.facts);
  if (facts.has(fullFact) && !facts.has(fact)) return fullOrder(orderId);
  if (assigns?.transactionId === undefined) return undefined;
  const { orderIds } = await act.transactions.get(mode, assigns.transactionId);
  return paidElsewhere(assigns.transactionId, orderId, orderIds);
}

const fullOrder = (orderId: string): string =>
  `The order ${JSON.stringify(orderId)} is full (too_many_events) and takes no further event. ` +
  'The event waits on: settle it in the order system, and dismiss it.';

function paidElsewhere(
  transactionId: string,
  orderId: string,
  orderIds: readonly string[],
): string | undefined {
  const other = orderIds.find((id) => id !== orderId);
  if (other === undefined) return undefined;
  return (
    `The transaction ${JSON.stringify(transactionId)} belongs to the order ${JSON.stringify(other)}, ` +
    'which gets its events. Look at the event again: it may be applied there by now.'
  );
}

/** `undefined`: another writer changed the row since it was read. */
async function claimRow(
  act: ActUnderWay,
  row: EventRow,
  { orderId, waitingKind }: { readonly orderId: string | undefined; readonly waitingKind: WaitingKind },
): Promise<Judgement | undefined> {
  const { outcome, waiting = null, judged: former = null } = row;
  const judged: Judgement = {
    verdict: 'admitted',
    ...act.decision,
    ...(orderId !== undefined && { orderId }),
  };
  const expected = { outcome, waiting, judged: former };
  if (!(await act.judgements.judge({ row, expected, judged, waiting: waitingKind }))) return undefined;
  act.rows.beginWait(row, waitingKind);
  // The body of a dismissed row expires; that of one that waits does not.
  if (former !== null) await act.events.setBodyExpiry(row, undefined);
  return judged;
}

async function apply(
  act: ActUnderWay,
  { orderId, routed, fact, assigns }: Extract<Admission, { readonly kind: 'apply' }>,
): Promise<Refused | undefined> {
  if (assigns?.transactionId !== undefined) {
    const { orderId: id, transactionId } = assigns;
    // A payment that arrives in this moment decides: its order, and not this one, has the transaction.
    const join = { mode: act.mode, transactionId, add: { orderId: id, unlessOthers: true } };
    const { orderIds } = await act.transactions.join(join);
    const detail = paidElsewhere(transactionId, id, orderIds);
    if (detail !== undefined) return refused(detail);
  }
  const again = orderId === undefined ? [] : await countAgain(act, orderId, fact);
  const routes = [...routed.routes, ...again];
  const merges = await applyEvent(act, { ...routed, routes }, act.settings);
  const full = [...merges].find(([, merged]) => merged.refused.has(fact));
  return full && refused(fullOrder(full[0].slice(orderKey(act.mode, '').length)));
}

async function record(
  act: ActUnderWay,
  { received, assigns }: Extract<Admission, { readonly kind: 'record' }>,
): Promise<Admitted | undefined> {
  const { events, settings, meaningOf } = act;
  const recordEventName = createEventNames(events, meaningOf);
  const [recorded] = await Promise.all([
    recordEvent(events, received, settings),
    recordEventName(received, settings.now.toISOString()),
  ]);
  if (assigns !== undefined && recorded.own !== undefined) {
    return assign(act, { ...recorded.own.row, fact: recorded.own.fact }, assigns.orderId);
  }
  await applyEvent(act, recorded, settings);
  return undefined;
}

/** Gives an event that is recorded by now its order, under a claim of its own: others may see it wait. */
async function assign(act: ActUnderWay, row: EventRow, orderId: string): Promise<Admitted | undefined> {
  const standing = standingOf(row, act.meaningOf);
  if (standing.kind === 'judged' && standing.judged.verdict === 'admitted') {
    if (standing.judged.orderId === orderId) return undefined;
    return { kind: 'refused', refusal: judgedBy(row, standing.judged) };
  }
  if (row.outcome === 'applied') {
    if (row.assignedOrderId === orderId) return undefined;
    return refused(`${eventOf(row)} is applied to the order ${JSON.stringify(row.assignedOrderId)} already.`);
  }
  return admitAsPlanned(act, row, { plan: planAssignment(row, orderId), waitingKind: 'unassigned' });
}
