import type { EventLog, LocalHandler } from '@payhooks/cdk-local';
import type { FeedMessage } from '../../console/contract.ts';
import { feedSources, type OrderStatusChanged } from '../../lambdas/order-feed/order-status-changed.ts';
import { refuse, refuseForeign } from '../local-requests.ts';

const path = '/feed/messages';
const messagesMax = 200;

/** `GET /feed/messages?order_id=…&mode=…`: what the bus has of one order, for the console. */
export function createOrderMessages(events: EventLog): LocalHandler {
  return function showOrderMessages(request, response) {
    const [requested, query] = (request.url ?? '').split('?');
    if (requested !== path) return false;
    response.setHeader('cache-control', 'no-store');
    if (refuseForeign(request, response, { methods: ['GET'] })) return true;
    const parameters = new URLSearchParams(query);
    const orderId = parameters.get('order_id');
    const mode = parameters.get('mode') ?? 'live';
    if (orderId === null || (mode !== 'live' && mode !== 'sandbox')) {
      refuse(response, 400, 'Expected order_id, and mode, which is live or sandbox.');
      return true;
    }
    const found = events
      .containing(`"order_id":${JSON.stringify(orderId)}`, messagesMax)
      .filter(({ source }) => source === feedSources[mode])
      .map(({ text }) => messageOf(JSON.parse(text)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(found.filter(({ body }) => body.detail.order_id === orderId)));
    return true;
  };
}

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
