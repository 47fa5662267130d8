import type { EventLog } from '@payhooks/cdk-local';
import type { FeedMessage } from '../../console/contract.ts';
import { feedSources, type OrderStatusChanged } from '../../lambdas/order-feed/order-status-changed.ts';

const messagesMax = 200;

/** `GET /feed/messages?order_id=…&mode=…`: what the bus has of one order, for the console. */
export const createOrderMessages = (events: EventLog) => (query: URLSearchParams) => {
  const orderId = query.get('order_id') ?? '';
  const source = feedSources[query.get('mode') === 'sandbox' ? 'sandbox' : 'live'];
  return events
    .containing(`"order_id":${JSON.stringify(orderId)}`, messagesMax)
    .filter((event) => event.source === source)
    .map(({ text }) => (JSON.parse(text) as PublishedEvent).detail)
    .filter((change) => change.order_id === orderId)
    .map(messageOf);
};

interface PublishedEvent {
  readonly detail: OrderStatusChanged;
}

const messageOf = ({ id, updated_at, sequence, previous, current }: OrderStatusChanged): FeedMessage => ({
  ...{ id, at: updated_at, sequence },
  ...{ previous_status: previous?.status ?? null, status: current.status },
});
