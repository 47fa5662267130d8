import type { ListOptions } from './arguments.ts';
import type { CallOptions } from './call.ts';
import { UnexpectedResponseError } from './errors.ts';
import type { Webhook, WebhookPage } from './webhook.ts';

export interface WalkOptions extends CallOptions, Omit<ListOptions, 'page'> {
  /** A list that does not end within this many requests is an error. */
  readonly requestsMax?: number | undefined;
}

type List = (options: ListOptions & CallOptions) => Promise<WebhookPage>;

/**
 * Every webhook once. The list may change between two pages: a new webhook moves the others to later pages,
 * where they are skipped; a removal moves them to earlier pages and lowers the total, and the walk begins
 * again. That holds in the default order, the most recent first. An abort throws its reason: a list that
 * ended early would look complete.
 */
export async function* walkWebhooks(
  list: List,
  { requestsMax = 200, limit = 50, ...options }: WalkOptions,
): AsyncGenerator<Webhook, void, undefined> {
  const yielded = new Set<string>();
  let page = 1;
  let totalBefore = 0;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const { data, pagination } = await list({ ...options, limit, page });
    for (const webhook of data) {
      if (yielded.has(webhook.id)) continue;
      yielded.add(webhook.id);
      yield webhook;
      options.signal?.throwIfAborted();
    }
    const hasShrunk = page > 1 && pagination.total < totalBefore;
    if (!hasShrunk && page >= pagination.last_page) return;
    page = hasShrunk ? 1 : page + 1;
    totalBefore = pagination.total;
  }
  throw new UnexpectedResponseError('the response of listWebhooks', {
    path: '$.pagination.last_page',
    expected: `the end of the list within ${requestsMax} requests`,
    found: 'further on',
  });
}
