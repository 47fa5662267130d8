import type { Order } from '@payhooks/order-client';
import { dedupeId } from '../../lambdas/order-feed/order-change.ts';
import type { OrderStatusChanged } from '../../lambdas/order-feed/order-status-changed.ts';

/** What the order feed publishes (`docs/order-status-changed.schema.json`). */
export type OrderMessage = OrderStatusChanged;

/**
 * The feed's message for an order that a poll returned, or `undefined` if the feed would publish nothing:
 * its status, attention and transactions are as before. The id and the sequence are those of the feed.
 * Without a former state all events are the cause, and the condition before is `null`.
 */
export function messageOf(order: Order, former: Order | undefined): OrderMessage | undefined {
  const { order_id, mode, sequence, transactions, updated_at } = order;
  if (former !== undefined && viewOf(former) === viewOf(order)) return undefined;
  const known = new Set(former?.events.map(({ id }) => id));
  const added = order.events.filter(({ id }) => !known.has(id));
  return {
    id: dedupeId({ mode, id: order_id }, sequence),
    ...{ order_id, mode, sequence },
    previous: former === undefined ? null : conditionOf(former),
    current: conditionOf(order),
    transactions,
    caused_by: added.map(({ id, event_name }) => ({ id, event_name })),
    updated_at,
  };
}

const viewOf = ({ status, attention, transactions }: Order): string =>
  JSON.stringify([status, attention, transactions]);

const conditionOf = ({ status, attention }: Order) => ({ status, attention });
