import type * as api from '@payhooks/order-client';
import type { Classify } from '../consumer/receive.ts';
import type { ActName } from '../contract/act-names.ts';
import { type LeftReason, leftSentences } from '../contract/left-sentences.ts';
import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { busy, conflict, type ProblemError } from '../http-api/problem.ts';
import type { Act, Decision, ProposalReader } from '../ports/acts.ts';
import { ordersOfRow } from '../ports/rows.ts';
import type { EventScan, OrderScan } from '../ports/scans.ts';
import type { Changes, Committed, EventNameReader, EventReader, OrderReader } from '../ports/stores.ts';
import type { Telemetry } from '../ports/telemetry.ts';
import {
  type Decide,
  type Intention,
  type Repaired,
  type RepairParts,
  repair,
  type Subject,
} from '../projection/repair.ts';
import { type Changed, changesOfOrders, effectOf, viewOfEvents, viewOfOrder } from '../records/changes.ts';
import type { RecordsParts } from '../records/waiting.ts';
import type { ActRequest } from './fields.ts';
import { createPlannedStore } from './planned-store.ts';
import { type Approved, nothing, originOf, propose, recordOf } from './proposal.ts';

/** What the routes of the operations API are made of. */
export interface OperationsParts extends RepairParts, RecordsParts {
  readonly events: EventReader & EventNameReader;
  readonly orders: OrderReader;
  readonly eventScan: EventScan;
  readonly orderScan: OrderScan;
  readonly classify: Classify;
  readonly meaningOf: MeaningOf;
  /** Changes with the setting `eventMeanings`: a run notices that it was begun with other meanings. */
  readonly meaningsId: string;
  readonly proposals: ProposalReader;
  /** The acts that need two people. */
  readonly approvals: ReadonlySet<ActName>;
  /** What is carried out was proposed, and another identity has approved it. */
  readonly approved?: Approved;
  readonly telemetry: Telemetry;
}

/** What an act is about, and where it is stored besides the orders that it concerns. */
export interface About {
  readonly subject: Omit<Act, 'act' | keyof Decision>;
  readonly partitions: readonly string[];
}

export type ActInProgress = ReturnType<typeof openAct>;

/**
 * One act, from its request to its response. In a dry run it plans over what is stored, and writes nothing;
 * so does an act that needs two people, which is then stored as a proposal. `caller` is the identity of the
 * operator. `at`: the time of a run of several requests.
 */
export function openAct(
  parts: OperationsParts,
  act: ActName,
  request: ActRequest & { readonly caller: string; readonly at?: string },
) {
  const { caller, at, ...asked } = request;
  const { approved, approvals } = parts;
  const { mode, dry_run, reason = '' } = asked;
  const isProposal = !dry_run && approved === undefined && approvals.has(act);
  const isDryRun = dry_run || isProposal;
  const decided = approved?.decision ?? { by: caller, at: parts.now().toISOString(), reason };
  const decision: Decision = { ...decided, ...(at && { at }) };
  const { by } = decision;
  const store = isDryRun ? createPlannedStore(parts.store) : parts.store;
  const audit = ({ subject, partitions }: About, { events = [], orders = [] }: Changed): Changes['acts'] => {
    const changed = changesOfOrders([{ orders }]).map(({ after }) => after.order.id);
    // What is dismissed is in no fact of its orders, and an erasure finds it by the act.
    const judged = events.filter(({ before, after }) => before?.judged !== after.judged);
    const concerned = [...changed, ...judged.flatMap(({ after }) => ordersOfRow(after))];
    const all = new Set([...partitions, ...concerned.map((id) => orderKey(mode, id))]);
    const proposal = approved && { proposal: originOf(approved.proposal) };
    return [...all].map((partition) => ({ act: { act, ...decision, ...subject, ...proposal }, partition }));
  };
  const record = (about: About, changed: Changed) => ({
    acts: audit(about, changed),
    ...(approved && recordOf(approved, changed)),
  });
  return {
    mode,
    decision,
    isDryRun,
    /** A repair with its audit in the same transaction. */
    repair: <T extends Intention>(subject: Subject, about: About, decide: Decide<T>) =>
      repair({ ...parts, store }, subject, decide, {
        isDryRun,
        record: (plan) => record(about, plan),
      }),
    /** A write from which nothing else follows. */
    async commit(about: About, changes: Changed): Promise<Committed['kind']> {
      return (await store.commit({ ...nothing, ...changes, ...record(about, changes) })).kind;
    },
    /**
     * `isChanged`: by default with a plan. `earlier`: of an operator who had done everything already. `more`:
     * what else the response has.
     */
    async respond<More extends { readonly next_cursor?: string | null }>(
      plans: readonly Changed[],
      outcome: { isChanged?: boolean; earlier?: Decision | undefined } = {},
      more: More = {} as More,
    ): Promise<api.ActResult & More> {
      const { isChanged: changed = plans.length > 0, earlier = decision } = outcome;
      const done = { act, mode, dry_run, changed: changed && !isProposal, by };
      parts.telemetry.log('notice', 'act of an operator', done);
      const made = { by: earlier.by, at: earlier.at, reason: earlier.reason };
      const orders = changesOfOrders(plans).map(viewOfOrder);
      const plan_sha256 = effectOf(plans);
      const result = {
        ...{ act, mode, dry_run, changed, ...made, plan_sha256, proposal_id: null },
        ...{ events: viewOfEvents(plans), orders, ...more },
      };
      const isWhole = (more.next_cursor ?? null) === null;
      if (!isProposal || (!changed && isWhole)) return result;
      const proposal = await propose(parts, { act, request: asked, decision, plan: result, isWhole });
      const { id: proposal_id, ...proposed } = originOf(proposal);
      const end = more.next_cursor && { next_cursor: null };
      return { ...result, ...proposed, changed: false, proposal_id, ...end };
    },
  };
}

/** Reads, decides and writes, until nothing that was read has changed meanwhile. Throws ProblemError. */
export async function untilUnchanged<Response>(
  attempt: () => Promise<Response | undefined>,
): Promise<Response> {
  for (let attempts = 0; attempts < judgementAttemptsMax; attempts += 1) {
    const response = await attempt();
    if (response !== undefined) return response;
  }
  throw busy(1);
}

/** What a repair has done. Throws ProblemError for one that was not carried out. */
export function carriedOut<T>(result: Repaired<T>, eventId: string) {
  if (result.kind === 'done') return result;
  if (result.kind === 'busy') throw busy(result.retryAfterSeconds);
  throw leftAlone(eventId, result.reason);
}

/** The refusal of an act on an event that cannot be handled. */
export const leftAlone = (eventId: string, reason: LeftReason): ProblemError =>
  conflict(`The event ${JSON.stringify(eventId)} stays as it is. ${leftSentences[reason]}`);
