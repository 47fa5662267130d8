import { documentTime } from '../account/webhooks.ts';
import { historyObject } from '../assumptions.ts';
import type { DeliveryRecord } from './notifier.ts';

/**
 * Section 4.5: each delivery attempt, the endpoint's answer and whether a retry is pending. The names of the
 * fields are not shown. Oldest attempt first.
 */
export function historyOf(records: readonly DeliveryRecord[], webhookId: string) {
  return records
    .filter((record) => record.webhookId === webhookId)
    .flatMap(({ eventId, eventName, delivery }) =>
      delivery.attempts.map((attempt) => ({ eventId, eventName, delivery, attempt })),
    )
    .toSorted((a, b) => Date.parse(a.attempt.at) - Date.parse(b.attempt.at))
    .map(({ eventId, eventName, delivery, attempt: { number, at, result } }) => {
      const pending = number === delivery.attempts.length && delivery.retryAt !== null;
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
        response_body: 'status' in result ? result.answer : null,
        error: 'status' in result ? null : result.error,
        is_retry_pending: pending,
        retry_at: pending ? documentTime(Date.parse(delivery.retryAt)) : null,
      };
    });
}
