import type { GenericSchema, InferOutput } from 'valibot';
import { assumedScopes, historyPath, sortFields, statuses } from '../../assumptions.ts';
import { checkJson, parseJson } from '../../json.ts';
import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import type { Webhook } from '../account/webhooks.ts';
import { historyObject, historyOf } from '../delivery/history.ts';
import type { Notifier } from '../delivery/notifier.ts';
import { paginate, readPage } from './pagination.ts';
import { type ApiResponse, invalid, mismatched, refusal } from './response.ts';
import { exchange } from './token-request.ts';
import { changeSchema, registrationSchema } from './webhook-request.ts';

/** A request whose operation was found and whose caller may use it. */
export interface ApiRequest {
  readonly account: Account;
  readonly webhookId: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Uint8Array;
}

interface AuthenticatedOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Its group is the webhook's id. */
  readonly path: RegExp;
  /** The scope that an OAuth token needs, if any. */
  readonly scope: string | null;
  readonly authenticatesItself?: false;
  readonly respond: (request: ApiRequest) => ApiResponse;
}

interface SelfAuthenticatedOperation {
  readonly method: 'POST';
  readonly path: RegExp;
  readonly authenticatesItself: true;
  readonly respond: (request: Omit<ApiRequest, 'account'>) => Promise<ApiResponse>;
}

export type Operation = AuthenticatedOperation | SelfAuthenticatedOperation;

const pathOf = (...segments: readonly string[]): RegExp => new RegExp(`^/api/v2/${segments.join('/')}$`);
const anyId = '([^/]+)';
const list = pathOf('webhooks');
const one = pathOf('webhooks', anyId);

/** Section 4, operation by operation. */
export function createOperations(
  tokens: Tokens,
  notifier: Pick<Notifier, 'records' | 'cancel'>,
): readonly Operation[] {
  const { registerWebhook, updateWebhook, deleteWebhook, viewHistory } = assumedScopes;
  return [
    { method: 'GET', path: list, scope: 'view-webhooks', respond: listWebhooks },
    { method: 'POST', path: list, scope: registerWebhook, respond: register },
    { method: 'PUT', path: one, scope: updateWebhook, respond: withWebhook(update) },
    {
      method: 'DELETE',
      path: one,
      scope: deleteWebhook,
      respond: withWebhook((webhook, { account }) => {
        account.webhooks.remove(webhook.id);
        // Pending retries end with the registration.
        notifier.cancel(webhook.id);
        return { status: statuses.deleted };
      }),
    },
    {
      method: 'GET',
      path: pathOf(...historyPath(anyId)),
      scope: viewHistory,
      respond: withWebhook((webhook, { query }) => {
        const page = readPage(query, sortFields.history);
        if (!page.ok) return page.refusal;
        const attempts = historyOf(notifier.records(), webhook.id);
        return { status: 200, body: paginate(historyObject, attempts, page.value) };
      }),
    },
    {
      method: 'POST',
      path: pathOf('oauth', 'token'),
      authenticatesItself: true,
      respond: ({ contentType, body }) => exchange(contentType, body, tokens),
    },
    // The authentication check of the reference requests: it needs a credential and no scope.
    { method: 'GET', path: pathOf('account', 'me'), scope: null, respond: currentAccount },
  ];
}

function listWebhooks({ account, query, body }: ApiRequest): ApiResponse {
  if (body.byteLength > 0) return invalid('body', 'none');
  const page = readPage(query, sortFields.webhooks);
  if (!page.ok) return page.refusal;
  return { status: 200, body: paginate('v2.webhook', account.webhooks.all(), page.value) };
}

const register = (request: ApiRequest): ApiResponse =>
  withJson(request, registrationSchema, ({ url, enabled_events, is_live_mode }) => {
    const registration = { url, enabledEvents: enabled_events, isLiveMode: is_live_mode };
    return { status: statuses.registered, body: request.account.webhooks.add(registration) };
  });

const update = (webhook: Webhook, request: ApiRequest): ApiResponse =>
  withJson(request, changeSchema, ({ url, enabled_events }) => ({
    status: 200,
    body: request.account.webhooks.change(webhook, { url, enabledEvents: enabled_events }),
  }));

function currentAccount({ account: { id, name } }: ApiRequest): ApiResponse {
  return { status: 200, body: { object: 'v2.account', id, name } };
}

/** The webhooks of other accounts do not exist for this one. */
function withWebhook(act: (webhook: Webhook, request: ApiRequest) => ApiResponse) {
  return function actOnWebhook(request: ApiRequest): ApiResponse {
    const webhook = request.account.webhooks.get(request.webhookId);
    return webhook === undefined ? refusal(404, 'unknown_webhook', 'Not Found') : act(webhook, request);
  };
}

function withJson<Schema extends GenericSchema>(
  { contentType, body }: ApiRequest,
  schema: Schema,
  act: (value: InferOutput<Schema>) => ApiResponse,
): ApiResponse {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return refusal(statuses.unsupportedMediaType, 'not_json', 'The body must be application/json.');
  }
  const checked = checkJson(schema, parseJson(Buffer.from(body).toString('utf8')));
  return checked.ok ? act(checked.value) : mismatched(checked.mismatch);
}
