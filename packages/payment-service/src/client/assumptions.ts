/**
 * What API document v2 calls "not shown" and this client has to decide all the same. Each entry has its
 * reason in `docs/assumptions.md`; to correct one, change it here and nowhere else.
 */

/** What a webhook is registered with, and what an update sets. */
export interface WebhookRegistration {
  readonly url: string;
  readonly enabled_events: readonly string[];
}

/**
 * A12. The JSON that creates a webhook (4.2) and that updates one (4.3). Both fields go out in both: an
 * update is then right whether the service replaces the webhook or only what it is given.
 */
export function registrationPayload({ url, enabled_events }: WebhookRegistration): unknown {
  return { url, enabled_events: [...enabled_events] };
}

/** A13. Where the answers of 4.2 and 4.3 hold the webhook object of 2.1; without a name, they are it. */
export const writtenWebhookPath: readonly string[] = [];

/**
 * A14. A deletion (4.4) succeeded when its answer is 2xx, whatever is in it. After an attempt whose outcome
 * is not known these say that there is nothing left to delete.
 */
export const nothingLeftStatuses: readonly number[] = [404];

/** A15. Where the history is (4.5). It is taken to be a collection of 2.2 and to be paged like the list. */
export function historyPath(webhookId: string): readonly string[] {
  return ['webhooks', webhookId, 'history'];
}

/**
 * A16. What a record of the history calls its parts: the names on the left are ours, those on the right are
 * assumed. A part that is missing or of another type is `null` in what the client returns.
 */
export const historyFields = {
  delivery_id: 'delivery_id',
  event_id: 'event_id',
  event_name: 'event_name',
  attempt: 'attempt',
  attempted_at: 'created_at',
  response_status: 'response_status',
  retry_pending: 'is_retry_pending',
} as const;

/**
 * A17. The exchange of 4.6 proves itself with the client id and the secret in its form, so that nothing else
 * goes with it. These headers would.
 */
export const tokenExchangeHeaders: Readonly<Record<string, string>> = {};

/** A18. The answer of 4.7 is a JSON object, of which nothing else is known. */
export type Account = Readonly<Record<string, unknown>>;
