import type * as api from '@payhooks/order-client';
import { sha256Of } from '../domain/fact.ts';
import { foldOrder } from '../domain/fold-order.ts';
import { moneyView } from '../order-query/event-view.ts';
import type { EventRow, OrderRow } from '../ports/rows.ts';
import type { Changes, EventNameState, RowChange } from '../ports/stores.ts';

/**
 * A hash of what changes for money, for what waits and for stored bodies. It leaves out the counters that
 * other facts move, and who decided.
 */
export function effectOf(plans: readonly Changed[]): string {
  const erased = plans
    .flatMap(({ events = [] }) => events)
    .flatMap(({ before, after }) => (before?.body && !after.body ? [[after.key, after.bodySha256]] : []));
  const content = [viewOfEvents(plans), changesOfOrders(plans).map(viewOfOrder), erased];
  return sha256Of(JSON.stringify(content, (name, value) => (name === 'sequence' ? undefined : value)));
}

/** What an act has changed, or would change. */
export type Changed = Partial<Pick<Changes, 'events' | 'orders' | 'names'>>;

/** What changes, each row once, by its key: as it was before the first change and is after the last. */
function merged<Row>(changes: readonly RowChange<Row>[], keyOf: (row: Row) => string) {
  const byKey = Map.groupBy(
    changes.filter(({ before, after }) => before !== after),
    ({ after }) => keyOf(after),
  );
  const rows = [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, ofRow]) => ofRow);
  return rows.flatMap(([first, ...more]) =>
    first === undefined ? [] : { before: first.before, after: (more.at(-1) ?? first).after },
  );
}

export const changesOfOrders = (plans: readonly Changed[]): RowChange<OrderRow>[] =>
  merged(
    plans.flatMap(({ orders = [] }) => orders),
    ({ order }) => order.id,
  );

/** An order as responses show it: its money, and what a person must look at. */
export const viewOfOrder = ({ before, after }: RowChange<OrderRow>): api.OrderChange => ({
  order_id: after.order.id,
  before: before === undefined ? null : snapshotOf(before),
  after: snapshotOf(after),
});

const snapshotOf = ({ facts, sequence }: OrderRow): api.OrderSnapshot => {
  const { status, attention, transactions } = foldOrder(facts);
  return { status, attention: [...attention], transactions: [...transactions], sequence };
};

/** The row of a signed body, or of an event name, which has no outcome. */
type JudgedRow = Partial<
  Pick<EventRow, 'key' | 'record' | 'eventId' | 'bodySha256' | 'outcome' | 'waiting' | 'reading'> &
    Pick<EventNameState, 'eventName' | 'amount' | 'currency'>
>;

export function viewOfEvents(plans: readonly Changed[]): api.EventChange[] {
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
      event_name: after.reading?.eventName ?? after.eventName ?? null,
      ...moneyView(after.reading ?? after),
      before: before === undefined ? null : stateOf(before),
      after: stateOf(after),
    }));
}
