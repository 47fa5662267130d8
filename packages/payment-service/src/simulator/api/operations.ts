import type { IncomingMessage } from 'node:http';
import { assumedScopes, historyPath, sortFields, statuses } from '../../assumptions.ts';
import { parseJson } from '../../json.ts';
import type { Account } from '../account/account.ts';
import { changeSchema, registrationSchema, type Webhook } from '../account/webhooks.ts';
import { historyObject, historyOf } from '../delivery/history.ts';
import type { Notifier } from '../delivery/notifier.ts';
import { authenticate, type Credentials } from './authentication.ts';
import { paginate, readPage } from './pagination.ts';
import { type ApiResponse, invalid, readFields, refusal } from './response.ts';
import { exchange } from './token-request.ts';

export interface ApiRequest {
  readonly headers: IncomingMessage['headersDistinct'];
  readonly webhookId: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Its group is the webhook's id. */
  readonly path: RegExp;
  readonly respond: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
}

const pathOf = (...segments: readonly string[]): RegExp => new RegExp(`^/api/v2/${segments.join('/')}$`);
const anyId = '([^/]+)';
const list = pathOf('webhooks');
const one = pathOf('webhooks', anyId);

/** Section 4, operation by operation. */
export function createOperations(credentials: Credentials, notifier: Notifier): readonly Operation[] {
  const { account } = credentials;
  const { registerWebhook, updateWebhook, deleteWebhook, viewHistory } = assumedScopes;

  function authenticated(scope: string | null, act: (request: ApiRequest, account: Account) => ApiResponse) {
    return function respond(request: ApiRequest): ApiResponse {
      authenticate(request.headers, scope, credentials);
      checkAccept(request);
      return act(request, account);
    };
  }

  function remove(request: ApiRequest, account: Account): ApiResponse {
    const { id } = webhookOf(request, account);
    account.webhooks.remove(id);
    // Pending retries end with the registration.
    notifier.cancel(id);
    return { status: statuses.deleted };
  }

  function showHistory(request: ApiRequest, account: Account): ApiResponse {
    const attempts = historyOf(notifier.records(), webhookOf(request, account).id);
    const page = readPage(request.query, sortFields.history);
    return { status: 200, body: paginate(historyObject, attempts, page) };
  }

  async function exchangeToken(request: ApiRequest): Promise<ApiResponse> {
    checkAccept(request);
    return exchange(contentTypeOf(request), request.body, credentials.tokens);
  }

  return [
    { method: 'GET', path: list, respond: authenticated('view-webhooks', listWebhooks) },
    { method: 'POST', path: list, respond: authenticated(registerWebhook, register) },
    { method: 'PUT', path: one, respond: authenticated(updateWebhook, update) },
    { method: 'DELETE', path: one, respond: authenticated(deleteWebhook, remove) },
    { method: 'GET', path: pathOf(...historyPath(anyId)), respond: authenticated(viewHistory, showHistory) },
    { method: 'POST', path: pathOf('oauth', 'token'), respond: exchangeToken },
    // The authentication check of the reference requests: it needs a credential and no scope.
    { method: 'GET', path: pathOf('account', 'me'), respond: authenticated(null, showAccount) },
  ];
}

function listWebhooks({ query, body }: ApiRequest, { webhooks }: Account): ApiResponse {
  if (body.byteLength > 0) throw invalid('body', 'none');
  return { status: 200, body: paginate('v2.webhook', webhooks.all(), readPage(query, sortFields.webhooks)) };
}

function register(request: ApiRequest, { webhooks }: Account): ApiResponse {
  const webhook = webhooks.add(readFields(registrationSchema, jsonOf(request)));
  return { status: statuses.registered, body: webhook };
}

function update(request: ApiRequest, account: Account): ApiResponse {
  const webhook = webhookOf(request, account);
  const change = readFields(changeSchema, jsonOf(request));
  return { status: 200, body: account.webhooks.change(webhook, change) };
}

const showAccount = (_: ApiRequest, { id, name }: Account): ApiResponse => ({
  status: 200,
  body: { object: 'v2.account', id, name },
});

function webhookOf({ webhookId }: ApiRequest, { webhooks }: Account): Webhook {
  const webhook = webhooks.get(webhookId);
  if (webhook === undefined) throw refusal(404, 'Not Found');
  return webhook;
}

const contentTypeOf = ({ headers }: ApiRequest): string => headers['content-type']?.[0] ?? '';

const isJson = (type: string): boolean => /^\s*application\/json\s*(;|$)/i.test(type);

function jsonOf(request: ApiRequest): unknown {
  if (!isJson(contentTypeOf(request))) {
    throw refusal(statuses.unsupportedMediaType, 'The body must be application/json.');
  }
  return parseJson(Buffer.from(request.body).toString('utf8'));
}

/** Section 4 requires this type; HTTP clients send a wildcard by default. */
function checkAccept({ headers }: ApiRequest): void {
  if (headers['accept']?.join().split(',').some(isJson)) return;
  throw refusal(statuses.notAcceptable, 'Send Accept: application/json.');
}
