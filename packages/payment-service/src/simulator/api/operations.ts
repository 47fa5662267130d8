import type { Account } from '../account/account.ts';
import type { Tokens } from '../account/tokens.ts';
import type { Webhook } from '../account/webhooks.ts';
import * as assumed from '../assumptions.ts';
import { historyOf } from '../delivery/history.ts';
import type { Notifier } from '../delivery/notifier.ts';
import { type Answer, invalid, type Read, refusal } from './answer.ts';
import { paginate, readPage } from './pagination.ts';
import { exchange } from './token-request.ts';
import { parseJson, readChange, readRegistration } from './webhook-request.ts';

/** A request whose path and method were found, and whose caller may ask. */
export interface Asked {
  readonly account: Account;
  readonly webhookId: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Uint8Array;
}

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Its group is the webhook's id. */
  readonly path: RegExp;
  /** The scope that an OAuth token needs; `null` for an operation that needs none. */
  readonly scope: string | null;
  readonly open?: false;
  readonly answer: (asked: Asked) => Answer;
}

/** An operation that checks its caller itself. */
export interface OpenOperation {
  readonly method: 'POST';
  readonly path: RegExp;
  readonly open: true;
  readonly answer: (asked: Omit<Asked, 'account'>) => Promise<Answer>;
}

const list = /^\/api\/v2\/webhooks$/;
const one = /^\/api\/v2\/webhooks\/([^/]+)$/;

/** Section 4, operation by operation. */
export function createOperations(
  tokens: Tokens,
  notifier: Pick<Notifier, 'records' | 'cancel'>,
): readonly (Operation | OpenOperation)[] {
  const { registerWebhook, updateWebhook, deleteWebhook, viewHistory } = assumed.assumedScopes;
  return [
    { method: 'GET', path: list, scope: 'view-webhooks', answer: listWebhooks },
    { method: 'POST', path: list, scope: registerWebhook, answer: register },
    { method: 'PUT', path: one, scope: updateWebhook, answer: withWebhook(update) },
    {
      method: 'DELETE',
      path: one,
      scope: deleteWebhook,
      answer: withWebhook((webhook, { account }) => {
        account.webhooks.remove(webhook.id);
        // Nothing is sent again to a URL that its owner has taken back.
        notifier.cancel(webhook.id);
        return { status: assumed.statuses.deleted };
      }),
    },
    {
      method: 'GET',
      path: assumed.historyPath,
      scope: viewHistory,
      answer: withWebhook((webhook, { query }) => {
        const page = readPage(query, assumed.historySortFields);
        if (!page.ok) return page.refusal;
        const attempts = historyOf(notifier.records(), webhook.id);
        return { status: 200, body: paginate(assumed.historyObject, attempts, page.value) };
      }),
    },
    {
      method: 'POST',
      path: /^\/api\/v2\/oauth\/token$/,
      open: true,
      answer: ({ contentType, body }) => exchange(contentType, body, tokens),
    },
    // The authentication check of the reference requests: it asks for a credential and for no scope.
    { method: 'GET', path: /^\/api\/v2\/account\/me$/, scope: null, answer: currentAccount },
  ];
}

function listWebhooks({ account, query, body }: Asked): Answer {
  if (body.byteLength > 0) return invalid('body', 'none');
  const page = readPage(query, assumed.webhookSortFields);
  if (!page.ok) return page.refusal;
  return { status: 200, body: paginate('v2.webhook', account.webhooks.all(), page.value) };
}

const register = (asked: Asked): Answer =>
  withJson(asked, readRegistration, (registration) => ({
    status: assumed.statuses.registered,
    body: asked.account.webhooks.add(registration),
  }));

const update = (webhook: Webhook, asked: Asked): Answer =>
  withJson(asked, readChange, (change) => ({
    status: 200,
    body: asked.account.webhooks.change(webhook, change),
  }));

function currentAccount({ account: { id, name } }: Asked): Answer {
  return { status: 200, body: { object: assumed.accountObject, id, name } };
}

/** The webhook of the path, of this account alone: another account's does not exist for it. */
function withWebhook(act: (webhook: Webhook, asked: Asked) => Answer): (asked: Asked) => Answer {
  return (asked) => {
    const webhook = asked.account.webhooks.get(asked.webhookId);
    return webhook === undefined ? refusal(404, 'unknown_webhook', 'Not Found') : act(webhook, asked);
  };
}

function withJson<T>(
  { contentType, body }: Asked,
  readBody: (body: unknown) => Read<T>,
  act: (value: T) => Answer,
): Answer {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return refusal(assumed.statuses.unsupportedMediaType, 'not_json', 'The body is application/json.');
  }
  const given = readBody(parseJson(Buffer.from(body).toString('utf8')));
  return given.ok ? act(given.value) : given.refusal;
}
