import type * as api from '@payhooks/order-client';
import { judgementAttemptsMax } from '../contract/operations-limits.ts';
import { orderKey } from '../contract/schema.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { conflict, ProblemError } from '../http-api/problem.ts';
import type { Act, ActName } from '../ports/acts.ts';
import type { Decision } from '../ports/decisions.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { Changes, Committed, RowChange } from '../ports/stores.ts';
import { ordersOfRow } from '../projection/layout.ts';
import { type Decide, type LeftReason, type Repaired, repair, type Subject } from '../projection/repair.ts';
import type { ActRequest } from './fields.ts';
import type { OperationsParts } from './parts.ts';
import { createPlannedStore } from './planned-store.ts';

/** What an act is about, and where it is stored besides the orders that it concerns. */
export interface About {
  readonly subject: Omit<Act, 'act' | keyof Decision>;
  readonly partitions: readonly string[];
}

/** What an act has changed, or would change. */
type Changed = Partial<Pick<Changes, 'events' | 'orders' | 'names'>>;

export type ActUnderWay = ReturnType<typeof openAct>;

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
    repair: (subject: Subject, about: About, decide: Decide): Promise<Repaired> =>
      repair({ ...parts, store }, subject, decide, {
        isDryRun: dry_run,
        acts: (plan) => audit(about, plan),
      }),
    /** A write from which nothing else follows. */
    async commit(about: About, changes: Changed): Promise<Committed['kind']> {
      const nothing = { events: [], transactions: [], orders: [], names: [] };
      return (await store.commit({ ...nothing, ...changes, acts: audit(about, changes) })).kind;
    },
    /** `earlier`: the decision of an operator who had done everything already. */
    respond(plans: readonly Changed[], { isChanged, earlier }: ActOutcome): api.ActResult {
      const changed = isChanged ?? plans.length > 0;
      parts.telemetry.log('notice', 'act of an operator', { act, mode, dry_run, changed, by });
      const { by: decidedBy, at: decidedAt, reason: why } = earlier ?? decision;
      const made = { by: decidedBy, at: decidedAt, reason: why };
      const orders = changesOfOrders(plans).map(viewOfOrder);
      return { act, mode, dry_run, changed, ...made, events: viewOfEvents(plans), orders };
    },
  };
}

interface ActOutcome {
  /** By default when there is a plan. */
  readonly isChanged?: boolean;
  readonly earlier?: Decision | undefined;
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
export function carriedOut(result: Repaired, eventId: string): Extract<Repaired, { kind: 'done' }> {
  if (result.kind === 'done') return result;
  if (result.kind === 'busy') throw busy(result.retryAfterSeconds);
  throw leftAlone(eventId, result.reason);
}

/** The refusal of an act on an event that cannot be handled. */
export const leftAlone = (eventId: string, reason: LeftReason): ProblemError =>
  conflict(`The event ${JSON.stringify(eventId)} ${leftSentences[reason]}`);

const leftSentences: Readonly<Record<LeftReason, string>> = {
  too_many_bodies:
    'has more bodies than one request handles. They can only be dismissed, one by one, with body_sha256.',
  unreadable:
    'has a row in the table events that this version cannot read. Restore the row, or deploy the version ' +
    'that wrote it.',
  too_large:
    'touches more rows than one transaction of DynamoDB takes (100 rows, 4 MB). Resolve its orders by hand.',
};

/** Another actor is changing the subject; the same request succeeds later. */
export const busy = (seconds: number): ProblemError =>
  new ProblemError({
    status: 409,
    title: 'Busy',
    detail:
      'The event was delivered or changed a moment ago, and a consumer may still be working on it. ' +
      `Repeat the request in ${seconds} s.`,
    retry_after_seconds: seconds,
  });

/** What changes, each row once, by its key: as it was before the first change and is after the last. */
function merged<Row>(changes: readonly RowChange<Row>[], keyOf: (row: Row) => string) {
  const byKey = new Map<string, RowChange<Row>>();
  for (const { before, after } of changes.filter((change) => change.before !== change.after)) {
    const first = byKey.get(keyOf(after));
    byKey.set(keyOf(after), { before: first === undefined ? before : first.before, after });
  }
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}

export const changesOfOrders = (plans: readonly Changed[]): RowChange<OrderRow>[] =>
  merged(
    plans.flatMap(({ orders = [] }) => orders),
    ({ order }) => order.id,
  );

const snapshotOf = ({ facts, sequence }: OrderRow): api.OrderSnapshot => {
  const { status, attention, transactions } = foldOrder(facts);
  return { status, attention: [...attention], transactions: [...transactions], sequence };
};

/** An order as responses show it: its money, and what a person must look at. */
export const viewOfOrder = ({ before, after }: RowChange<OrderRow>): api.OrderChange => ({
  order_id: after.order.id,
  before: before === undefined ? null : snapshotOf(before),
  after: snapshotOf(after),
});

/** The row of a signed body, or of an event name, which has no outcome. */
type JudgedRow = Partial<Pick<EventRow, 'key' | 'record' | 'eventId' | 'bodySha256' | 'outcome' | 'waiting'>>;

function viewOfEvents(plans: readonly Changed[]): api.EventChange[] {
  const rows = plans.flatMap(({ events = [], names = [] }): RowChange<JudgedRow>[] => [...events, ...names]);
  const stateOf = ({ outcome, waiting }: JudgedRow) => ({
    outcome: outcome ?? null,
    waiting: waiting ?? null,
  });
  return merged(rows, ({ key, record }) => JSON.stringify([key, record]))
    .filter(({ before, after }) => before?.outcome !== after.outcome || before?.waiting !== after.waiting)
    .map(({ before, after }) => ({
      event_id: after.eventId ?? null,
      body_sha256: after.bodySha256 ?? null,
      before: before === undefined ? null : stateOf(before),
      after: stateOf(after),
    }));
}
