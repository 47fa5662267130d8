import * as v from 'valibot';
import { feedMessagesSinceMilliseconds } from '../../operator/limits.ts';
import { readLocalView } from '../../operator/stack/local-mode.ts';
import type { Stack } from '../../operator/stack/stack.ts';
import type { FeedMessage, FeedMessages } from '../contract.ts';
import type { ConsoleContext, ConsoleRoute } from './context.ts';
import { createKept } from './kept.ts';
import { ConsoleProblem } from './problem.ts';

/** A search takes seconds and costs money by the size of the log. */
const keptMilliseconds = 60_000;
const keptOrdersMax = 100;

interface OrderRef {
  readonly id: string;
  readonly mode: 'live' | 'sandbox';
}

/** What the order feed published about an order: from the bus of local mode, or from the log of the feed. */
export function messagesRoute({ stack }: ConsoleContext): ConsoleRoute {
  const searches = new Map<string, ReturnType<typeof createKept<FeedMessages>>>();
  const searchOnce = (owner: Stack, order: OrderRef): Promise<FeedMessages> => {
    const key = `${order.mode}:${order.id}`;
    const search = searches.get(key) ?? createKept(() => searchLog(owner, order), keptMilliseconds);
    searches.delete(key);
    searches.set(key, search);
    const [oldest = ''] = searches.keys();
    if (searches.size > keptOrdersMax) searches.delete(oldest);
    return search.read();
  };
  return {
    method: 'GET',
    path: '/console/api/orders/{id}/messages',
    async handle({ parameters, query }): Promise<FeedMessages> {
      const mode = query.get('mode') ?? 'live';
      if (mode !== 'live' && mode !== 'sandbox') throw new ConsoleProblem(400, 'mode is live or sandbox.');
      const order = { id: parameters['id'] ?? '', mode } as const;
      const owner = await stack();
      return owner.localUrl === undefined ? searchOnce(owner, order) : readLocal(owner.localUrl, order);
    },
  };
}

async function readLocal(localUrl: string, { id, mode }: OrderRef): Promise<FeedMessages> {
  const path = `/feed/messages?${new URLSearchParams({ order_id: id, mode })}`;
  const messages = await readLocalView(localUrl, path, v.array(v.custom<FeedMessage>(() => true)));
  return { messages, since: null, failures_only: false };
}

async function searchLog(stack: Stack, { id, mode }: OrderRef): Promise<FeedMessages> {
  const { searchFeedLog } = await import('../../operator/aws/feed-log.ts');
  const since = Date.now() - feedMessagesSinceMilliseconds;
  return {
    messages: await searchFeedLog(stack, { orderId: id, mode, since }),
    since: new Date(since).toISOString(),
    failures_only: stack.outputs['LogLevel'] === 'warn',
  };
}
