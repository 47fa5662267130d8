import type * as api from '@payhooks/order-client';
import * as v from 'valibot';
import { type ActName, actNames } from '../contract/act-names.ts';
import { proposalsPageMax } from '../contract/operations-limits.ts';
import { proposalKey } from '../contract/schema.ts';
import { identityOf } from '../domain/identity.ts';
import type { Mode } from '../domain/signature.ts';
import type { Route, RouteRequest } from '../http-api/http-api.ts';
import {
  cursorText,
  readCursor,
  readCursorText,
  readMode,
  refuseUnknown,
  wrongField,
} from '../http-api/parameters.ts';
import { busy, conflict, notFound } from '../http-api/problem.ts';
import type { Decision, Proposal } from '../ports/acts.ts';
import { positionFormat } from '../records/waiting.ts';
import { type OperationsParts, untilUnchanged } from './act.ts';
import { fields, proposalId, readActRequest, readRequest, requiredReason, wrongCursor } from './fields.ts';
import { type Approved, actsOf, expiryOf, isRun, nothing, stale } from './proposal.ts';

type ActRoute = (parts: OperationsParts, request: RouteRequest) => Promise<api.ApprovedResult>;
export type ActRoutes = Readonly<Record<ActName, ActRoute>>;

/** The acts that need two people, in the variable `APPROVALS`. Throws at cold start for any other name. */
export const readApprovals = (variable = ''): ReadonlySet<ActName> =>
  new Set(v.parse(v.array(v.picklist(actNames)), variable.split(',').filter(Boolean)));

/** What another identity approves or rejects. */
export const approvalRoutes = (routes: ActRoutes) =>
  ({
    'GET /operations/approvals': listApprovals,
    'POST /operations/approvals/approve': (parts, request) => postApprove(parts, request, routes),
    'POST /operations/approvals/reject': postReject,
  }) as const satisfies Readonly<Record<string, Route<OperationsParts>>>;

async function listApprovals(parts: OperationsParts, { query }: RouteRequest): Promise<api.Approvals> {
  refuseUnknown(query, ['id', 'cursor', 'mode']);
  const mode = readMode(query);
  const required = [...parts.approvals];
  const after = readCursor(query, (given) => {
    const cursor = readCursorText(positionFormat, given);
    return cursor?.key.startsWith(proposalKey(mode, '')) ? cursor : undefined;
  });
  if (query['id'] !== undefined)
    return { required, proposals: [viewOf(await find(parts, mode, query['id']))], next_cursor: null };
  const page = { mode, kind: 'approval', limit: proposalsPageMax, after } as const;
  const { rows, next } = await parts.waiting.list(page);
  const found = await Promise.all(rows.map(({ key }) => parts.proposals.proposal(key)));
  const proposals = found.flatMap((proposal) => (proposal === undefined ? [] : [viewOf(proposal)]));
  return { required, proposals, next_cursor: next === undefined ? null : cursorText(next) };
}

const viewOf = (proposal: Proposal): api.Proposal => {
  const { id, mode, act, request, by, at, reason, planSha256, shown, waits, approved, rejected } = proposal;
  const { events, orders, more } = shown as Pick<api.Proposal, 'events' | 'orders' | 'more'>;
  return {
    ...{ id, mode, act, request, by, at, reason, expires_at: expiryOf(proposal), plan_sha256: planSha256 },
    ...{ events, orders, more, waits, approved: approved ?? null, rejected: rejected ?? null },
  };
};

async function find({ proposals }: OperationsParts, mode: Mode, id: string): Promise<Proposal> {
  const found = /^[0-9a-f]{16}$/.test(id) ? await proposals.proposal(proposalKey(mode, id)) : undefined;
  if (found === undefined) throw notFound(`No ${mode} proposal has the id ${JSON.stringify(id)}.`);
  return found;
}

/** Carries out the act of a proposal, or a part of it that differs in these fields. */
type RunAct = (isDryRun: boolean, part: object, approved?: Approved) => Promise<api.ApprovedResult>;

/** `POST /operations/approvals/approve`: what another identity has proposed is done. */
async function postApprove(
  parts: OperationsParts,
  { body, caller }: RouteRequest,
  routes: ActRoutes,
): Promise<api.ApprovedResult> {
  const { plan_sha256, cursor, limit } = fields;
  const {
    mode,
    dry_run,
    reason = '',
    ...given
  } = readActRequest(body, {
    ...{ id: proposalId, plan_sha256, cursor, limit },
  });
  const proposal = await find(parts, mode, given.id);
  const at = parts.now().toISOString();
  if (isDone(proposal)) return earlierResult(proposal, dry_run);
  refuse(parts, proposal, { caller, at });
  const limited = isRun(proposal) && proposal.act === 'replay';
  const page = { ...(given.cursor && { cursor: given.cursor }), ...(limited && { limit: given.limit }) };
  const run: RunAct = (isDryRun, part, approved) => {
    const request = { ...proposal.request, ...(reason && { reason }), ...part, dry_run: isDryRun };
    const approving = { ...parts, ...(approved && { approved }) };
    return routes[proposal.act](approving, { path: {}, query: {}, body: JSON.stringify(request), caller });
  };
  if (dry_run) return run(true, page);
  if (given.plan_sha256 !== proposal.planSha256)
    throw wrongField(
      'plan_sha256',
      given.plan_sha256,
      'the plan_sha256 of the proposal, which you have seen',
    );
  const decision = { by: caller, at, reason };
  if (isRun(proposal)) return approvePage(parts, { proposal, decision }, { page, run });
  const result = await run(false, page, { proposal, decision });
  if (result.changed) return result;
  const ended = await find(parts, mode, given.id);
  if (isDone(ended)) return earlierResult(ended, dry_run);
  throw stale(proposal);
}

const isDone = ({ waits, approved, rejected }: Proposal): boolean =>
  !waits && approved !== undefined && rejected === undefined;

/** The response to a repetition after a lost response, or to a slower operator. */
function earlierResult({ act, mode, approved, planSha256 }: Proposal, dry_run: boolean): api.ApprovedResult {
  const ofRun = { replay: { replayed: 0, left: [], retry_after_seconds: null }, erase: { erased: [] } };
  const more = act === 'replay' || act === 'erase' ? { ...ofRun[act], next_cursor: null } : {};
  const decision = approved as Decision;
  const result = { act, mode, dry_run, changed: false, ...decision, plan_sha256: planSha256 };
  return { ...result, proposal_id: null, events: [], orders: [], ...more };
}

/** Throws ProblemError for a proposal that this caller cannot approve, or not now. */
function refuse(
  parts: OperationsParts,
  proposal: Proposal,
  { caller, at }: { caller: string; at: string },
): void {
  const { id, by, approved, rejected, meaningsId } = proposal;
  const name = `The proposal ${id}`;
  const who = identityOf(caller);
  if (rejected !== undefined) throw conflict(`${name} was rejected by ${rejected.by} at ${rejected.at}.`);
  if (expiryOf(proposal) <= at)
    throw conflict(`${name} has expired at ${expiryOf(proposal)}. Reject it, and propose the act again.`);
  if (meaningsId !== parts.meaningsId)
    throw conflict(`${name} was planned with other eventMeanings. Reject it, and propose the act again.`);
  if (approved === undefined && who === identityOf(by))
    throw conflict(`${name} is by you: another identity must approve it. You may reject it.`);
  if (approved !== undefined && ![by, approved.by].map(identityOf).includes(who))
    throw conflict(`${name} is being carried out by ${approved.by}, who approved it at ${approved.at}.`);
}

/** A page of an act in several transactions, which is approved before the first of them. */
async function approvePage(
  parts: OperationsParts,
  { proposal, decision }: Approved,
  { page, run }: { readonly page: { readonly cursor?: string }; readonly run: RunAct },
): Promise<api.ApprovedResult> {
  const nextOf = (part: api.ApprovedResult) => ('next_cursor' in part ? part.next_cursor : null);
  const approved = { ...proposal, approved: proposal.approved ?? decision };
  if (proposal.approved === undefined) {
    if (page.cursor !== undefined) throw wrongCursor(page.cursor);
    const plan = proposal.isWhole ? await run(true, {}) : undefined;
    if (plan && (plan.plan_sha256 !== proposal.planSha256 || nextOf(plan) !== null)) throw stale(proposal);
    const acts = actsOf(proposal, 'approve', decision);
    const proposals = [{ before: proposal, after: approved }];
    const { kind } = await parts.store.commit({ ...nothing, acts, proposals });
    // Another identity has approved or rejected it meanwhile.
    if (kind !== 'committed') throw busy(1);
  }
  const done = await run(false, page, { proposal: approved, decision: approved.approved });
  if (nextOf(done) === null) {
    const proposals = [{ before: approved, after: { ...approved, waits: false } }];
    await parts.store.commit({ ...nothing, acts: [], proposals });
  }
  return done;
}

/** `POST /operations/approvals/reject`: the proposal ends without its act. */
async function postReject(parts: OperationsParts, { body, caller: by }: RouteRequest): Promise<api.Proposal> {
  const request = readRequest(body, { mode: fields.mode, id: proposalId, reason: requiredReason });
  return untilUnchanged(async () => {
    const proposal = await find(parts, request.mode, request.id);
    const { approved, rejected, waits } = proposal;
    if (rejected !== undefined) return viewOf(proposal);
    if (!waits)
      throw conflict(`The proposal ${request.id} was approved by ${approved?.by} at ${approved?.at}.`);
    const decision = { by, at: parts.now().toISOString(), reason: request.reason };
    const after = { ...proposal, rejected: decision, waits: false };
    const acts = actsOf(proposal, 'reject', decision);
    const { kind } = await parts.store.commit({ ...nothing, acts, proposals: [{ before: proposal, after }] });
    return kind === 'committed' ? viewOf(after) : undefined;
  });
}
