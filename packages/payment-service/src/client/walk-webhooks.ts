import type { ListOptions } from './arguments.ts';
import type { CallOptions } from './call.ts';
import { UnexpectedAnswerError } from './errors.ts';
import type { Webhook, WebhookPage } from './webhook.ts';

export interface WalkOptions extends CallOptions, Omit<ListOptions, 'page'> {
  /** A list that does not end within this many requests is an error. */
  readonly requestsMax?: number | undefined;
}

type List = (options: ListOptions & CallOptions) => Promise<WebhookPage>;

/**
 * Every webhook, none of them twice. In the default order, the most recent first, none is missed either,
 * though the list may change between two pages: a new one moves the others to later pages, and only a removal
 * moves them to earlier ones, past the reader. It shows in the total, and the walk then begins again.
 * An abort throws its reason, for a list that ends early would look like a whole one.
 */
export async function* walkWebhooks(
  list: List,
  { requestsMax = 200, limit = 50, ...options }: WalkOptions,
): AsyncGenerator<Webhook, void, undefined> {
  const told = new Set<string>();
  let page = 1;
  let totalBefore = 0;
  for (let requests = 0; requests < requestsMax; requests += 1) {
    const { data, pagination } = await list({ ...options, limit, page });
    for (const webhook of data) {
      if (told.has(webhook.id)) continue;
      told.add(webhook.id);
      yield webhook;
      options.signal?.throwIfAborted();
    }
    const hasShrunk = page > 1 && pagination.total < totalBefore;
    if (!hasShrunk && page >= pagination.last_page) return;
    page = hasShrunk ? 1 : page + 1;
    totalBefore = pagination.total;
  }
  const expected = `the end of the list within ${requestsMax} requests`;
  const [source, path] = ['the answer of listWebhooks', '$.pagination.last_page'];
  throw new UnexpectedAnswerError({ source, path, expected, found: 'further on' });
}
