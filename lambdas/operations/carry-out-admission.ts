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
export async function admitAsPlanned(act: ActUnderWay, row: EventRow, planned: Planned): Promise<Admitted> {
  const { plan } = planned;
  const obstacle = await obstacleTo(act, planned);
  if (plan.kind === 'refused' || obstacle !== undefined) {
    // A claim that an interrupted admission has left, and that none can complete any more.
    const left = row.waiting !== undefined && row.judged?.verdict === 'admitted' ? row.judged : undefined;
    if (left !== undefined && (plan.kind === 'refused' || left.orderId === plan.orderId)) {
      await takeBack(act, row, left);
    }
    return refused(obstacle ?? '');
  }
  const claim = await claimRow(act, row, { plan, waitingKind: planned.waitingKind });
  if (claim.kind !== 'claimed') return claim;
  const { judged } = claim;
  const result = plan.kind === 'apply' ? await apply(act, plan) : await record(act, plan);
  if (result.kind === 'changed') return result;
  if (result.kind === 'refused') {
    await takeBack(act, row, judged);
    return result;
  }
  const isSettled = plan.kind === 'apply' && plan.routed.own !== undefined;
  await endWait(act, row, { expected: { judged }, judged, isSettled });
  return { kind: 'admitted', judged };
}

type Feasible = Exclude<Admission, { readonly kind: 'refused' }>;

/** Why the admission is not possible, as far as reads show it; then nothing is written. */
async function obstacleTo(act: ActUnderWay, { plan, waitingKind }: Planned): Promise<string | undefined> {
  if (plan.kind === 'refused') return plan.detail;
  const { mode } = act;
  const { orderId } = plan;
  if (orderId === undefined || waitingKind === 'order_refused') return undefined;
  const facts = (await act.orders.get({ mode, id: orderId }))?.facts ?? [];
  const isThere = plan.kind === 'apply' && facts.includes(plan.fact);
  if (facts.includes(fullFact) && !isThere) return fullOrder(orderId);
  const transactionId = assignedTransaction(plan);
  if (transactionId === undefined) return undefined;
  const { orderIds } = await act.transactions.get(mode, transactionId);
  return paidElsewhere(transactionId, orderId, orderIds);
}

function assignedTransaction(plan: Feasible): string | undefined {
  if (plan.kind === 'apply') return plan.assigns;
  const { classification } = plan.received;
  if (!plan.assigns || classification.kind === 'unrecognised') return undefined;
  return classification.event.transaction.id ?? undefined;
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

type Claim =
  | { readonly kind: 'claimed'; readonly judged: Judgement }
  | { readonly kind: 'changed' }
  | Refused;

async function claimRow(
  act: ActUnderWay,
  row: EventRow,
  { plan: { orderId }, waitingKind }: { readonly plan: Feasible; readonly waitingKind: WaitingKind },
): Promise<Claim> {
  const { outcome, waiting, judged: former } = row;
  if (waiting !== undefined && former?.verdict === 'admitted') {
    if (former.orderId === orderId) return { kind: 'claimed', judged: former };
    return { kind: 'refused', refusal: claimedBy(row, former) };
  }
  const judged: Judgement = {
    verdict: 'admitted',
    ...act.decision,
    ...(orderId !== undefined && { orderId }),
  };
  const expected = { outcome, waiting: waiting ?? null, judged: former ?? null };
  if (!(await act.judgements.judge({ row, expected, judged, waiting: waitingKind }))) {
    return { kind: 'changed' };
  }
  act.rows.beginWait(row, waitingKind);
  // The body of a dismissed row expires; that of one that waits does not.
  if (former !== undefined && act.settings.eventRetentionDays !== undefined) {
    await act.events.setBodyExpiry(row, undefined);
  }
  return { kind: 'claimed', judged };
}

type Done = { readonly kind: 'done' } | Admitted;

async function apply(
  act: ActUnderWay,
  { orderId, routed, fact, assigns }: Extract<Admission, { readonly kind: 'apply' }>,
): Promise<Done> {
  if (assigns !== undefined && orderId !== undefined) {
    // A payment that arrives in this moment decides: its order, and not this one, has the transaction.
    const join = { mode: act.mode, transactionId: assigns, add: { orderId, unlessOthers: true } };
    const { orderIds } = await act.transactions.join(join);
    const detail = paidElsewhere(assigns, orderId, orderIds);
    if (detail !== undefined) return refused(detail);
  }
  const again = orderId === undefined ? [] : await countAgain(act, orderId, fact);
  const routes = [...routed.routes, ...again];
  const { merges } = await applyEvent(act, { ...routed, routes }, act.settings);
  const full = [...merges].find(([, merged]) => merged.refused.has(fact));
  if (full === undefined) return { kind: 'done' };
  return refused(fullOrder(full[0].slice(orderKey(act.mode, '').length)));
}

async function record(
  act: ActUnderWay,
  { orderId, received, assigns }: Extract<Admission, { readonly kind: 'record' }>,
): Promise<Done> {
  const { events, settings, meaningOf } = act;
  const recordEventName = createEventNames(events, meaningOf);
  const [recorded] = await Promise.all([
    recordEvent(events, received, settings),
    recordEventName(received, settings.now.toISOString()),
  ]);
  if (assigns && orderId !== undefined && recorded.own !== undefined) {
    return assign(act, { ...recorded.own.row, fact: recorded.own.fact }, orderId);
  }
  await applyEvent(act, recorded, settings);
  return { kind: 'done' };
}

/** Gives an event that is recorded by now its order, under a claim of its own: others may see it wait. */
async function assign(act: ActUnderWay, row: EventRow, orderId: string): Promise<Done> {
  const standing = standingOf(row, act.meaningOf);
  if (standing.kind === 'judged' && standing.judged.verdict === 'admitted') {
    if (standing.judged.orderId === orderId) return { kind: 'done' };
    return { kind: 'refused', refusal: judgedBy(row, standing.judged) };
  }
  if (row.outcome === 'applied') {
    if (row.assignedOrderId === orderId) return { kind: 'done' };
    return refused(`${eventOf(row)} is applied to the order ${JSON.stringify(row.assignedOrderId)} already.`);
  }
  return admitAsPlanned(act, row, { plan: planAssignment(row, orderId), waitingKind: 'unassigned' });
}
