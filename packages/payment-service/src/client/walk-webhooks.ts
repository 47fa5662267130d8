import type { ListOptions } from './arguments.ts';
import type { CallOptions } from './call.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { UnreadableWebhook, Webhook, WebhookPage } from './webhook.ts';

export interface WalkOptions extends CallOptions, Omit<ListOptions, 'page'> {
  /** A list that does not end within this many requests is an error. */
  readonly requestsMax?: number | undefined;
  /** Gets each row that is no webhook of 2.1; without it, such a row is an error. */
  readonly onUnreadable?: (row: UnreadableWebhook) => void;
}

type List = (options: ListOptions & CallOptions) => Promise<WebhookPage>;

/** Ten walks over three pages whose order is random miss a webhook with a probability of 1 : 300,000. */
const walksMax = 10;

/**
 * Every webhook once. The list may change between two pages: a new webhook moves the others to later pages,
 * where they are skipped; a removal moves them to earlier pages and lowers the total, and the walk begins
 * again. So it does when it has seen fewer than the total: the order of equal times may change between two
 * requests. An abort throws its reason: a list that ended early would look complete.
 */
export async function* walkWebhooks(
  list: List,
  { requestsMax = 200, limit = 50, onUnreadable = refuse, ...options }: WalkOptions,
): AsyncGenerator<Webhook, void, undefined> {
  const seen = new Set<string>();
  const isNew = (key: string) => !seen.has(key) && seen.add(key);
  let [page, walks] = [1, 1];
  /** Of the page before, and the least of this walk: a webhook that is new need not be seen. */
  let [totalBefore, totalMin] = [0, Number.POSITIVE_INFINITY];
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const { data, unreadable, pagination } = await list({ ...options, limit, page });
    for (const row of unreadable) if (isNew(row.id ?? JSON.stringify(row.record))) onUnreadable(row);
    for (const webhook of data) {
      if (!isNew(webhook.id)) continue;
      yield webhook;
      options.signal?.throwIfAborted();
    }
    const hasShrunk = page > 1 && pagination.total < totalBefore;
    totalBefore = pagination.total;
    totalMin = Math.min(totalMin, totalBefore);
    const isAtEnd = !hasShrunk && page >= pagination.last_page;
    if (isAtEnd && seen.size >= totalMin) return;
    if (isAtEnd && ++walks > walksMax) throw incomplete(totalMin, seen.size);
    page = hasShrunk || isAtEnd ? 1 : page + 1;
    if (page === 1) totalMin = Number.POSITIVE_INFINITY;
  }
  throw new UnexpectedResponseError('the response of listWebhooks', {
    path: '$.pagination.last_page',
    expected: `the end of the list within ${requestsMax} requests`,
    found: 'further on',
  });
}

function refuse({ mismatch }: UnreadableWebhook): never {
  throw new UnexpectedResponseError('the response of listWebhooks', mismatch);
}

const incomplete = (total: number, seen: number) =>
  new UnexpectedResponseError('the response of listWebhooks', {
    path: '$.pagination.total',
    expected: `as many webhooks as ${walksMax} walks over the list found, ${seen}`,
    found: `${total}`,
  });
