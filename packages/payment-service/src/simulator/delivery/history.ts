import { documentTime } from '../account/webhooks.ts';
import type { DeliveryRecord } from './notifier.ts';

export const historyObject = 'v2.webhook_history';

/** Section 4.5: each delivery attempt, oldest first, with the endpoint's response and the pending retry. */
export function historyOf(records: readonly DeliveryRecord[], webhookId: string) {
  return records
    .filter((record) => record.webhookId === webhookId)
    .flatMap((record) => record.delivery.attempts.map((attempt) => ({ ...record, attempt })))
    .toSorted((a, b) => Date.parse(a.attempt.at) - Date.parse(b.attempt.at))
    .map(({ eventId, eventName, delivery, attempt: { number, at, result } }) => {
      const retryAt = number === delivery.attempts.length ? delivery.retryAt : null;
      return {
        object: historyObject,
        id: `${delivery.id}.${number}`,
        delivery_id: delivery.id,
        webhook_id: webhookId,
        event_id: eventId,
        event_name: eventName,
        url: delivery.url,
        attempt: number,
        created_at: documentTime(Date.parse(at)),
        response_status: 'status' in result ? result.status : null,
        response_body: 'status' in result ? result.body : null,
        error: 'status' in result ? null : result.error,
        is_retry_pending: retryAt !== null,
        retry_at: retryAt === null ? null : documentTime(Date.parse(retryAt)),
      };
    });
}
