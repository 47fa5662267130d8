import { checkPaging, checkRegistration, checkWebhookId, type ListOptions } from './arguments.ts';
import {
  type Account,
  historyPath,
  nothingLeftStatuses,
  registrationPayload,
  type WebhookRegistration,
  writtenWebhookPath,
} from './assumptions.ts';
import type { Answer } from './attempt.ts';
import type { Authentication } from './authentication.ts';
import { type CallOptions, createCall } from './call.ts';
import { field, integerAt, objectAt, rootOf, unexpected } from './json-place.ts';
import type { OperationName } from './operations.ts';
import { createTransport, jsonOf, sourceOf, type TransportOptions } from './transport.ts';
import { type WalkOptions, walkWebhooks } from './walk-webhooks.ts';
import { parseWebhookPage, type Webhook, type WebhookPage, webhookAt } from './webhook.ts';
import { parseWebhookHistory, type WebhookHistory } from './webhook-history.ts';

export interface PaymentServiceOptions extends TransportOptions {
  readonly authentication: Authentication;
}

export type HistoryOptions = Pick<ListOptions, 'page' | 'limit'> & CallOptions;

/** The operations of API document v2, section 4. The exchange of 4.6 is `createTokenExchange`. */
export interface PaymentServiceClient {
  readonly listWebhooks: (options?: ListOptions & CallOptions) => Promise<WebhookPage>;
  readonly allWebhooks: (options?: WalkOptions) => AsyncGenerator<Webhook, void, undefined>;
  readonly createWebhook: (registration: WebhookRegistration, options?: CallOptions) => Promise<Webhook>;
  /** Both fields are set: what is to stay as it is comes from the list. */
  readonly updateWebhook: (
    id: string,
    registration: WebhookRegistration,
    options?: CallOptions,
  ) => Promise<Webhook>;
  readonly deleteWebhook: (id: string, options?: CallOptions) => Promise<void>;
  readonly webhookHistory: (id: string, options?: HistoryOptions) => Promise<WebhookHistory>;
  readonly currentAccount: (options?: CallOptions) => Promise<Account>;
}

export function createPaymentServiceClient(options: PaymentServiceOptions): PaymentServiceClient {
  const call = createCall(createTransport(options), options.authentication);

  const listWebhooks: PaymentServiceClient['listWebhooks'] = async ({ signal, ...list } = {}) => {
    checkPaging(list);
    const { sort_field, sort_order, page, limit } = list;
    const query = { sort_field, sort_order, page, limit };
    const answer = await call({ operation: 'listWebhooks', path: ['webhooks'], query, signal });
    return pageOf(answer, page ?? 1);
  };

  return {
    listWebhooks,
    allWebhooks: (walk = {}) => walkWebhooks(listWebhooks, walk),
    createWebhook: async (registration, { signal } = {}) => {
      checkRegistration(registration);
      const json = registrationPayload(registration);
      const answer = await call({ operation: 'createWebhook', path: ['webhooks'], json, signal });
      return writtenWebhook('createWebhook', answer);
    },
    updateWebhook: async (id, registration, { signal } = {}) => {
      const path = ['webhooks', checkWebhookId(id)];
      checkRegistration(registration);
      const json = registrationPayload(registration);
      return writtenWebhook('updateWebhook', await call({ operation: 'updateWebhook', path, json, signal }));
    },
    deleteWebhook: async (id, { signal } = {}) => {
      const path = ['webhooks', checkWebhookId(id)];
      await call({ operation: 'deleteWebhook', path, doneStatuses: nothingLeftStatuses, signal });
    },
    webhookHistory: async (id, { signal, page, limit } = {}) => {
      checkPaging({ page, limit });
      const path = historyPath(checkWebhookId(id));
      const answer = await call({ operation: 'webhookHistory', path, query: { page, limit }, signal });
      return parseWebhookHistory(jsonOf('webhookHistory', answer), sourceOf('webhookHistory', answer.status));
    },
    currentAccount: async ({ signal } = {}) => {
      const answer = await call({ operation: 'currentAccount', path: ['account', 'me'], signal });
      return objectAt(rootOf(jsonOf('currentAccount', answer), sourceOf('currentAccount', answer.status)));
    },
  };
}

/** A service that always told page 1 would otherwise look like a list of repetitions. */
function pageOf(answer: Answer, asked: number): WebhookPage {
  const json = jsonOf('listWebhooks', answer);
  const source = sourceOf('listWebhooks', answer.status);
  const page = parseWebhookPage(json, source);
  const { current_page, last_page } = page.pagination;
  // Behind the end the last page may stand for what was asked.
  if (current_page === asked || (asked > last_page && current_page === last_page)) return page;
  const place = field(field(rootOf(json, source), 'pagination'), 'current_page');
  throw unexpected(place, `the page asked for, ${asked}`, `page ${integerAt(place, 1)}`);
}

function writtenWebhook(operation: OperationName, answer: Answer): Webhook {
  const root = rootOf(jsonOf(operation, answer), sourceOf(operation, answer.status));
  return webhookAt(writtenWebhookPath.reduce(field, root));
}
