/**
 * What API document v2 leaves out ("not shown") and the client or the simulator had to decide. The reasons
 * are in `docs/assumptions.md`. To correct an assumption, change it here and nowhere else.
 */

/** What creates a webhook (4.2), and what an update sets (4.3). */
export interface WebhookRegistration {
  readonly url: string;
  readonly enabled_events: readonly string[];
}

/** A12. An update sends both fields: right whether the service replaces the webhook or merges the fields. */
export function registrationPayload({ url, enabled_events }: WebhookRegistration): unknown {
  return { url, enabled_events: [...enabled_events] };
}

/** A14. Any 2xx is a deletion. After an attempt with an unknown outcome, these mean that it succeeded. */
export const nothingLeftStatuses: readonly number[] = [404];

/** A15. The path of the history (4.5), which is a collection of 2.2 and paged like the list. */
export const historyPath = (webhookId: string): readonly string[] => ['webhooks', webhookId, 'history'];

/** A16. The client's name for each part of a history record, and the field that is assumed to hold it. */
export const historyFields = {
  delivery_id: 'delivery_id',
  event_id: 'event_id',
  event_name: 'event_name',
  attempt: 'attempt',
  attempted_at: 'created_at',
  response_status: 'response_status',
  response_body: 'response_body',
  retry_pending: 'is_retry_pending',
} as const;

/** A18. The account (4.7) is a JSON object with unknown fields. */
export type Account = Readonly<Record<string, unknown>>;

/** A19. Section 5.3 shows `view-webhooks` for the list only; the simulator's others follow its pattern. */
export const assumedScopes = {
  registerWebhook: 'create-webhooks',
  updateWebhook: 'update-webhooks',
  deleteWebhook: 'delete-webhooks',
  viewHistory: 'view-webhooks',
} as const;

/** A19. The allowed values of `sort_field` (4.1); the simulator refuses others. */
export const sortFields = { webhooks: ['created_at', 'id', 'url'], history: ['created_at'] } as const;

/** A19. How long the simulator's access tokens live (2.4). */
export const accessTokenSeconds = 3_600;

/** A19. A 403 of the simulator has the body of a 401: no client can rely on another text. */
export const forbiddenMessage = 'Unauthenticated';

/** A19. Statuses of the simulator that sections 4.2, 4.4 and 7 do not show. */
export const statuses = {
  registered: 201,
  deleted: 204,
  /** A field or parameter that breaks a rule. */
  invalid: 422,
  /** A request without `Accept: application/json` (section 4). */
  notAcceptable: 406,
  unsupportedMediaType: 415,
  /** A token request that RFC 6749, 5.2 calls an error. */
  tokenRefused: 400,
} as const;

/** A19. The largest request body that the simulator reads. */
export const requestBytesMax = 64 * 1024;
