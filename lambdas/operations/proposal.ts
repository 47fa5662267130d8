import type * as api from '@payhooks/order-client';
import type { ActName } from '../contract/act-names.ts';
import { proposalDays, proposalPlanBytesMax } from '../contract/operations-limits.ts';
import {
  eventKey,
  eventNameKey,
  orderKey,
  proposalKey,
  replayKey,
  unrecognisedKey,
} from '../contract/schema.ts';
import { sha256Of } from '../domain/fact.ts';
import { wrongField } from '../http-api/parameters.ts';
import { busy, conflict } from '../http-api/problem.ts';
import type { Act, Decision, Proposal, ProposalOrigin, ProposalReader } from '../ports/acts.ts';
import type { Changes, RepairStore } from '../ports/stores.ts';
import { type Changed, effectOf } from '../records/changes.ts';
import type { ActRequest } from './fields.ts';

/** A proposal that is carried out. */
export interface Approved {
  readonly proposal: Proposal;
  /** Of the identity that approved it. */
  readonly decision: Decision;
}

export const nothing = { events: [], transactions: [], orders: [], names: [] } as const;

/** Whether it takes a transaction for each event, so that it is approved first and then done in pages. */
export const isRun = ({ act, request }: Pick<Proposal, 'act' | 'request'>): boolean =>
  (act === 'replay' || act === 'erase') &&
  request['event_id'] === undefined &&
  request['body_sha256'] === undefined;

export const originOf = ({ id, act, by, at, reason }: Proposal): ProposalOrigin => ({
  id,
  act,
  by,
  at,
  reason,
});

export const expiryOf = ({ at }: Proposal): string =>
  new Date(Date.parse(at) + proposalDays * 24 * 60 * 60 * 1000).toISOString();

/** What ends a proposal in the transaction of its act, which must do what was proposed. */
export function recordOf({ proposal, decision }: Approved, changed: Changed): Pick<Changes, 'proposals'> {
  if (isRun(proposal)) return {};
  if (effectOf([changed]) !== proposal.planSha256) throw stale(proposal);
  return { proposals: [{ before: proposal, after: { ...proposal, approved: decision, waits: false } }] };
}

export const stale = ({ id }: Proposal) =>
  conflict(
    `What the proposal ${id} does has changed since it was proposed, so it is not carried out. ` +
      'A dry run of the approval shows what it would do now. Reject it, and propose the act again.',
  );

/** The record of a decision about a proposal, next to what its act concerns. */
export function actsOf(proposal: Proposal, act: Act['act'], decision: Decision): Changes['acts'] {
  const { event_id: eventId, order_id: orderId, body_sha256: bodySha256 } = proposal.request as Named;
  const { event_name: eventName, attention } = proposal.request as Named;
  const subject = {
    ...{ ...(eventId && { eventId }), ...(orderId && { orderId }), ...(bodySha256 && { bodySha256 }) },
    ...{ ...(eventName && { eventName }), ...(attention && { attention }) },
  };
  const row = { act, ...decision, ...subject, proposal: originOf(proposal) };
  return [{ act: row, partition: partitionOf(proposal.mode, proposal.request as Named) }];
}

interface Named {
  readonly event_id?: string;
  readonly order_id?: string;
  readonly body_sha256?: string;
  readonly event_name?: string;
  readonly attention?: readonly string[];
}

function partitionOf(mode: Proposal['mode'], { event_id, order_id, body_sha256, event_name }: Named): string {
  if (event_id !== undefined) return eventKey(mode, event_id);
  if (body_sha256 !== undefined) return unrecognisedKey(mode, body_sha256);
  if (event_name !== undefined) return eventNameKey(mode, event_name);
  return order_id === undefined ? replayKey(mode) : orderKey(mode, order_id);
}

interface ProposingParts {
  readonly proposals: ProposalReader;
  readonly store: Pick<RepairStore, 'commit'>;
  readonly meaningsId: string;
}

interface Proposing {
  readonly act: ActName;
  readonly request: ActRequest & { readonly cursor?: string | undefined; readonly limit?: number };
  readonly decision: Decision;
  readonly plan: Pick<api.ActResult, 'plan_sha256' | 'events' | 'orders'>;
  readonly isWhole: boolean;
}

/** Stores what another identity must approve, unless the same is proposed already. */
export async function propose(parts: ProposingParts, proposing: Proposing): Promise<Proposal> {
  const { act, decision, plan, isWhole, request: asked } = proposing;
  const { mode, dry_run: _, reason: __, cursor, limit: ___, ...named } = asked;
  if (cursor !== undefined)
    throw wrongField('cursor', cursor, 'no cursor: the act needs two people, and begins when it is approved');
  const request = { mode, ...named };
  for (let ended = 0; ; ) {
    const content = JSON.stringify([act, request, plan.plan_sha256, ended]);
    const id = sha256Of(content).slice(0, 16);
    const known = await parts.proposals.proposal(proposalKey(mode, id));
    if (known?.waits && expiryOf(known) > decision.at) return known;
    if (known !== undefined) {
      ended += 1;
      continue;
    }
    const proposal: Proposal = {
      ...{ id, mode, act, ...decision, request, meaningsId: parts.meaningsId },
      ...{ planSha256: plan.plan_sha256, isWhole, shown: firstOf(plan, isWhole), waits: true },
    };
    const acts = actsOf(proposal, 'propose', decision);
    const proposals = [{ before: undefined, after: proposal }];
    const { kind } = await parts.store.commit({ ...nothing, acts, proposals });
    if (kind === 'committed') return proposal;
    if (kind !== 'changed') throw busy(1);
  }
}

/** The first changes of a plan, as many as a row takes. */
function firstOf({ events, orders }: Proposing['plan'], isWhole: boolean): Proposal['shown'] {
  let bytes = 0;
  const fits = (change: object): boolean => {
    bytes += Buffer.byteLength(JSON.stringify(change));
    return bytes <= proposalPlanBytesMax;
  };
  const shown = { orders: orders.filter(fits), events: events.filter(fits) };
  const isCut = shown.orders.length < orders.length || shown.events.length < events.length;
  return { ...shown, more: isCut || !isWhole };
}
