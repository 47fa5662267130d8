import type { GenericSchema } from 'valibot';
import {
  type Account,
  historyPath,
  nothingLeftStatuses,
  registrationPayload,
  type WebhookRegistration,
} from '../assumptions.ts';
import { jsonObject } from '../json.ts';
import { checkPaging, checkRegistration, checkWebhookId, type ListOptions } from './arguments.ts';
import { type AuthenticatedOptions, type CallOptions, createCall } from './call.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { OperationName } from './operations.ts';
import { readResponse, sourceOf } from './read-response.ts';
import { redactedJson } from './redaction.ts';
import type { ServiceResponse } from './send.ts';
import { type WalkOptions, walkWebhooks } from './walk-webhooks.ts';
import {
  type Webhook,
  type WebhookHistory,
  type WebhookPage,
  webhookHistorySchema,
  webhookPageSchema,
  webhookSchema,
} from './webhook.ts';

type HistoryOptions = Pick<ListOptions, 'page' | 'limit'> & CallOptions;

export type PaymentServiceClient = ReturnType<typeof createPaymentServiceClient>;

/** The operations of API document v2, section 4. The exchange of 4.6 is `createTokenExchange`. */
export function createPaymentServiceClient(options: AuthenticatedOptions) {
  const call = createCall(options);

  const client = {
    async listWebhooks(options: ListOptions & CallOptions = {}): Promise<WebhookPage> {
      const { signal, sort_field, sort_order, page, limit } = options;
      checkPaging({ page, limit });
      const query = { sort_field, sort_order, page, limit };
      const response = await call('listWebhooks', ['webhooks'], { query, signal });
      return readPage('listWebhooks', response, webhookPageSchema, page);
    },
    allWebhooks: (walk: WalkOptions = {}) => walkWebhooks(client.listWebhooks, walk),
    async createWebhook(registration: WebhookRegistration, { signal }: CallOptions = {}): Promise<Webhook> {
      checkRegistration(registration);
      const json = registrationPayload(registration);
      const response = await call('createWebhook', ['webhooks'], { json, signal });
      return readResponse('createWebhook', response, webhookSchema);
    },
    /** Sets both fields: take one that is to stay from the list. */
    async updateWebhook(
      id: string,
      registration: WebhookRegistration,
      { signal }: CallOptions = {},
    ): Promise<Webhook> {
      const path = ['webhooks', checkWebhookId(id)];
      checkRegistration(registration);
      const json = registrationPayload(registration);
      const response = await call('updateWebhook', path, { json, signal });
      return readResponse('updateWebhook', response, webhookSchema);
    },
    async deleteWebhook(id: string, { signal }: CallOptions = {}): Promise<void> {
      const path = ['webhooks', checkWebhookId(id)];
      await call('deleteWebhook', path, { doneStatuses: nothingLeftStatuses, signal });
    },
    async webhookHistory(id: string, { signal, page, limit }: HistoryOptions = {}): Promise<WebhookHistory> {
      checkPaging({ page, limit });
      const path = historyPath(checkWebhookId(id));
      const response = await call('webhookHistory', path, { query: { page, limit }, signal });
      return readPage('webhookHistory', response, webhookHistorySchema, page);
    },
    /** Without the credential, which the unknown fields may repeat. */
    async currentAccount({ signal }: CallOptions = {}): Promise<Account> {
      const response = await call('currentAccount', ['account', 'me'], { signal });
      return redactedJson(readResponse('currentAccount', response, jsonObject), response.redact);
    },
  };
  return client;
}

/** A service that always sent page 1 would otherwise look like a list of repetitions. */
function readPage<Page extends Pick<WebhookPage, 'pagination'>>(
  operation: OperationName,
  response: ServiceResponse,
  schema: GenericSchema<unknown, Page>,
  requested = 1,
): Page {
  const page = readResponse(operation, response, schema);
  const { current_page, last_page } = page.pagination;
  // After the end of the list, the service may send its last page instead.
  if (current_page === requested || (requested > last_page && current_page === last_page)) return page;
  throw new UnexpectedResponseError(sourceOf(operation, response.status), {
    path: '$.pagination.current_page',
    expected: `the requested page, ${requested}`,
    found: `page ${current_page}`,
  });
}
