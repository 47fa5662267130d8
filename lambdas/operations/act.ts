import type * as api from '@payhooks/order-client';
import type { Classify } from '../consumer/receive.ts';
import { type LeftReason, leftSentences } from '../contract/left-sentences.ts';
import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import type { MeaningOf } from '../domain/assumptions.ts';
import { busy, conflict, type ProblemError } from '../http-api/problem.ts';
import type { Act, ActName, Decision } from '../ports/acts.ts';
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
import { type Changed, changesOfOrders, viewOfEvents, viewOfOrder } from '../records/changes.ts';
import type { RecordsParts } from '../records/waiting.ts';
import type { ActRequest } from './fields.ts';
import { createPlannedStore } from './planned-store.ts';

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
  readonly telemetry: Telemetry;
}

/** What an act is about, and where it is stored besides the orders that it concerns. */
export interface About {
  readonly subject: Omit<Act, 'act' | keyof Decision>;
  readonly partitions: readonly string[];
}

export type ActInProgress = ReturnType<typeof openAct>;

/**
 * One act, from its request to its response. In a dry run it plans over what is stored, and writes nothing.
 * `caller` is the identity of the operator. `at`: the time of a run of several requests.
 */
export function openAct(
  parts: OperationsParts,
  act: ActName,
  request: ActRequest & { readonly caller: string; readonly at?: string },
) {
  const { mode, dry_run, reason = '', caller: by, at = parts.now().toISOString() } = request;
  const decision: Decision = { by, at, reason };
  const store = dry_run ? createPlannedStore(parts.store) : parts.store;
  const audit = ({ subject, partitions }: About, { events = [], orders = [] }: Changed): Changes['acts'] => {
    const changed = changesOfOrders([{ orders }]).map(({ after }) => after.order.id);
    // What is dismissed is in no fact of its orders, and an erasure finds it by the act.
    const judged = events.filter(({ before, after }) => before?.judged !== after.judged);
    const concerned = [...changed, ...judged.flatMap(({ after }) => ordersOfRow(after))];
    const all = new Set([...partitions, ...concerned.map((id) => orderKey(mode, id))]);
    return [...all].map((partition) => ({ act: { act, ...decision, ...subject }, partition }));
  };
  return {
    mode,
    decision,
    isDryRun: dry_run,
    /** A repair with its audit in the same transaction. */
    repair: <T extends Intention>(subject: Subject, about: About, decide: Decide<T>) =>
      repair({ ...parts, store }, subject, decide, {
        isDryRun: dry_run,
        acts: (plan) => audit(about, plan),
      }),
    /** A write from which nothing else follows. */
    async commit(about: About, changes: Changed): Promise<Committed['kind']> {
      const nothing = { events: [], transactions: [], orders: [], names: [] };
      return (await store.commit({ ...nothing, ...changes, acts: audit(about, changes) })).kind;
    },
    /** `isChanged`: by default with a plan. `earlier`: of an operator who had done everything already. */
    respond(
      plans: readonly Changed[],
      outcome: { isChanged?: boolean; earlier?: Decision | undefined } = {},
    ): api.ActResult {
      const { isChanged: changed = plans.length > 0, earlier = decision } = outcome;
      parts.telemetry.log('notice', 'act of an operator', { act, mode, dry_run, changed, by });
      const made = { by: earlier.by, at: earlier.at, reason: earlier.reason };
      const orders = changesOfOrders(plans).map(viewOfOrder);
      return { act, mode, dry_run, changed, ...made, events: viewOfEvents(plans), orders };
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
