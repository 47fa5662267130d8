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
    .map(({ text }) => messageOf(JSON.parse(text)))
    .filter(({ body }) => body.detail.order_id === orderId);
};

interface PublishedEvent {
  readonly detail: OrderStatusChanged;
}

const messageOf = (body: PublishedEvent): FeedMessage & { readonly body: PublishedEvent } => ({
  id: body.detail.id,
  at: body.detail.updated_at,
  is_published: true,
  sequence: body.detail.sequence,
  previous_status: body.detail.previous?.status ?? null,
  status: body.detail.current.status,
  error_code: null,
  body,
});
