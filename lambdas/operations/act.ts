import { orderKey } from '../contract/schema.ts';
import type { WaitingKind } from '../contract/waiting-kinds.ts';
import type { Mode } from '../domain/signature.ts';
import type { RouteResult } from '../http-api/route.ts';
import type { Act, ActName } from '../ports/acts.ts';
import type { Decision } from '../ports/decisions.ts';
import type { EventRow } from '../ports/rows.ts';
import type { Changes, RepairStore } from '../ports/stores.ts';
import { ordersOfRow } from '../projection/layout.ts';
import type { Plan } from '../projection/project.ts';
import { type Decide, type Repaired, repair, type Subject } from '../projection/repair.ts';
import type { ActRequest } from './act-request.ts';
import { changedOrders, type OrderChange, orderChange } from './order-changes.ts';
import type { OperationsParts } from './parts.ts';
import { createPlannedStore } from './planned-store.ts';

/** The response of every act. */
export interface ActResponse extends Decision {
  readonly act: ActName;
  readonly mode: Mode;
  readonly dry_run: boolean;
  /** `false` when everything was done already. */
  readonly changed: boolean;
  readonly events: readonly EventChange[];
  readonly orders: readonly OrderChange[];
}

/** The part of a row that acts change; `outcome` is `null` for the row of an event name. */
export interface RowState {
  readonly outcome: EventRow['outcome'] | null;
  readonly waiting: WaitingKind | null;
}

/** A row that an act changed. `before` is `null` for one that the act stored. */
export interface EventChange {
  readonly event_id: string | null;
  readonly body_sha256: string | null;
  readonly before: RowState | null;
  readonly after: RowState;
}

/**
 * One act, from its request to its response. In a dry run it plans over what is stored, and writes nothing.
 */
export interface ActUnderWay {
  readonly act: ActName;
  readonly mode: Mode;
  readonly dryRun: boolean;
  readonly decision: Decision;
  readonly store: RepairStore;
  /** Runs a repair whose acts are stored with what it changes, next to the event and to its orders. */
  repair(subject: Subject, about: About, decide: Decide<RouteResult>): Promise<Repaired<RouteResult>>;
  /** The acts of a plan, for a write that is no repair of an event. */
  actsOn(partitions: readonly string[], about: About): Changes['acts'];
  respond(result: ActResult): RouteResult;
}

/** What an act is about, and where it is stored besides the orders that it changes. */
export interface About {
  readonly subject: Omit<Act, 'act' | keyof Decision>;
  readonly partitions: readonly string[];
}

interface ActResult {
  readonly plans: readonly Pick<Plan, 'events' | 'orders'>[];
  readonly changed: boolean;
  /** An earlier one, when everything was done already. */
  readonly decision?: Decision | undefined;
  readonly names?: readonly EventChange[];
  /** Further fields of the response. */
  readonly more?: object;
}

/** `caller` is the identity of the operator. `at`: the time of a run of several requests. */
export function openAct(
  parts: OperationsParts,
  act: ActName,
  { mode, dryRun, reason, caller, at }: ActRequest & { readonly caller: string; readonly at?: string },
): ActUnderWay {
  const decision: Decision = { by: caller, at: at ?? parts.now().toISOString(), reason };
  const store = dryRun ? createPlannedStore(parts.store) : parts.store;
  const actsOn = (partitions: readonly string[], { subject }: About): Changes['acts'] =>
    [...new Set(partitions)].map((partition) => ({ act: { act, ...decision, ...subject }, partition }));
  return {
    act,
    mode,
    dryRun,
    decision,
    store,
    actsOn,
    repair: (subject, about, decide) =>
      repair({ ...parts, store }, subject, decide, {
        isDryRun: dryRun,
        acts: (plan) => {
          const changed = changedOrders([plan]).map(({ after: { order } }) => order.id);
          const orders = [...changed, ...ordersJudged(plan)].map((id) => orderKey(mode, id));
          return actsOn([...about.partitions, ...orders], about);
        },
      }),
    respond({ plans, changed, decision: { by, at: time, reason: why } = decision, names = [], more = {} }) {
      parts.telemetry.log('notice', 'act of an operator', { act, mode, dry_run: dryRun, changed, by });
      const events = [...eventChanges(plans), ...names];
      const orders = changedOrders(plans).map(orderChange);
      const body: ActResponse = {
        act,
        mode,
        dry_run: dryRun,
        changed,
        by,
        at: time,
        reason: why,
        events,
        orders,
      };
      return { ok: true, body: { ...body, ...more } };
    },
  };
}

/**
 * The orders of the bodies that are judged: what was dismissed is in no fact of theirs, and an erasure finds
 * it.
 */
const ordersJudged = ({ events }: Plan): readonly string[] =>
  events
    .filter(({ before, after }) => before?.judged !== after.judged)
    .flatMap(({ after }) => ordersOfRow(after));

function eventChanges(plans: ActResult['plans']): readonly EventChange[] {
  const changes = new Map<string, EventChange>();
  for (const { before, after } of plans.flatMap(({ events }) => events)) {
    if (before === after) continue;
    const key = JSON.stringify([after.key, after.record]);
    const first = changes.get(key);
    const former = before === undefined ? null : stateOf(before);
    changes.set(key, {
      event_id: after.eventId ?? null,
      body_sha256: after.bodySha256,
      before: first === undefined ? former : first.before,
      after: stateOf(after),
    });
  }
  return [...changes]
    .filter(([, { before, after }]) => before?.outcome !== after.outcome || before.waiting !== after.waiting)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, change]) => change);
}

export const stateOf = ({ outcome, waiting }: Pick<EventRow, 'outcome' | 'waiting'>): RowState => ({
  outcome,
  waiting: waiting ?? null,
});
