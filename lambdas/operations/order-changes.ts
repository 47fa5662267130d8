import { replayOrdersBytesMax, replayOrdersMax } from '../contract/operations-limits.ts';
import { foldOrder, type OrderState } from '../domain/fold-order.ts';
import type { OrderRow } from '../ports/rows.ts';
import type { RowChange } from '../ports/stores.ts';
import type { Plan } from '../projection/project.ts';

/** An order as the responses of acts show it: its money, and what a person must look at. */
export interface OrderSnapshot extends Pick<OrderState, 'status' | 'attention' | 'transactions'> {
  readonly sequence: number;
}

/** `before` is `null` for an order that did not exist. */
export interface OrderChange {
  readonly order_id: string;
  readonly before: OrderSnapshot | null;
  readonly after: OrderSnapshot;
}

/** The orders that plans change, by id: each as it was before the first and is after the last. */
export function changedOrders(plans: readonly Pick<Plan, 'orders'>[]): readonly RowChange<OrderRow>[] {
  const changes = new Map<string, RowChange<OrderRow>>();
  for (const { before, after } of plans.flatMap(({ orders }) => orders)) {
    if (before === after) continue;
    const { id } = after.order;
    const first = changes.get(id);
    changes.set(id, { before: first === undefined ? before : first.before, after });
  }
  return [...changes].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
}

/** Whether one response lists no more orders than these; a transaction is about as long as its fact. */
export function fillResponse(orders: readonly RowChange<OrderRow>[]): boolean {
  const facts = orders.flatMap(({ before, after }) => [...(before?.facts ?? []), ...after.facts]);
  const bytes = facts.reduce((sum, fact) => sum + fact.length, 0);
  return orders.length >= replayOrdersMax || bytes >= replayOrdersBytesMax;
}

export function orderSnapshot({ facts, sequence }: OrderRow): OrderSnapshot {
  const { status, attention, transactions } = foldOrder(facts);
  return { status, attention, transactions, sequence };
}

export const orderChange = ({ before, after }: RowChange<OrderRow>): OrderChange => ({
  order_id: after.order.id,
  before: before === undefined ? null : orderSnapshot(before),
  after: orderSnapshot(after),
});
