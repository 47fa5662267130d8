import type { DeliveryAttempt, PaymentServiceClient, Webhook } from '@payhooks/payment-service';

/** An attempt of the delivery d-1 of the event e-1 that got no response and is tried again. */
export const attempt = (change: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  delivery_id: 'd-1',
  event_id: 'e-1',
  event_name: 'transaction.paid',
  attempt: 1,
  attempted_at: '2026-11-21 10:00:00',
  response_status: null,
  response_body: null,
  retry_pending: true,
  record: {},
  ...change,
});

export const liveWebhook = { id: 'w', is_live_mode: true } as Webhook;
export const sandboxWebhook = { id: 'w', is_live_mode: false } as Webhook;

/** A client of a service with this history, or that of one webhook only, and the pages that it read. */
export function clientOf(history: readonly DeliveryAttempt[], webhookId?: string) {
  const pages: number[] = [];
  const client = {
    async webhookHistory(id: string, options: { page: number; limit: number; signal?: AbortSignal }) {
      const { page, limit, signal } = options;
      signal?.throwIfAborted();
      pages.push(page);
      const attempts = webhookId === undefined || webhookId === id ? history : [];
      const total = attempts.length;
      const last_page = Math.ceil(total / limit);
      const data = attempts.slice((page - 1) * limit, page * limit);
      return { data, pagination: { current_page: page, per_page: limit, total, last_page } };
    },
  } as unknown as PaymentServiceClient;
  return { client, pages };
}
