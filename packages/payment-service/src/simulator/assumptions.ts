/**
 * What API document v2 calls "not shown" and a server has to decide all the same. To correct a decision,
 * change it here. What the document does show is built into the simulator and cannot be set.
 */

/** Section 5.3 shows `view-webhooks` for the list alone; the other names are made in its likeness. */
export const assumedScopes = {
  registerWebhook: 'create-webhooks',
  updateWebhook: 'update-webhooks',
  deleteWebhook: 'delete-webhooks',
  viewHistory: 'view-webhooks',
} as const;

/** Section 4.1: the allowed values of `sort_field` are not shown; any other is a validation error. */
export const webhookSortFields = ['created_at', 'id', 'url'] as const;

/** Section 4.5: the path of the history is not shown. It is listed as webhooks are (section 2.2). */
export const historyPath = /^\/api\/v2\/webhooks\/([^/]+)\/history$/;
export const historyObject = 'v2.webhook_history';
export const historySortFields = ['created_at'] as const;

/** Section 2.4 shows `expires_in`, and not how long that is. */
export const accessTokenSeconds = 3_600;

/** Section 2.5: the fields of an account are not shown. */
export const accountObject = 'v2.account';

/**
 * Section 7: the only error body shown is that of an authentication failure. A 403 carries the same text, so
 * that nobody can build on another one.
 */
export const forbiddenMessage = 'Unauthenticated';

/** Sections 4.2, 4.4 and 7: statuses that are not shown. */
export const statuses = {
  registered: 201,
  deleted: 204,
  /** A parameter or field that breaks a rule. */
  invalid: 422,
  /** A request that does not ask for `application/json`, as section 4 wants it to. */
  notAcceptable: 406,
  /** A body of another media type than the operation's. */
  unsupportedMediaType: 415,
  /** What is wrong with a token request, as RFC 6749, 5.2 has it. */
  tokenRefused: 400,
} as const;

/** No request of the document comes near this. */
export const requestBytesMax = 64 * 1024;
