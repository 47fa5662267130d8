import type { BusEvent } from '@payhooks/cdk-local';
import type { OrderStatusChanged } from '../../../lambdas/order-feed/order-status-changed.ts';

/** An event as the target of a rule receives it, and as each `data:` line of the local feed contains one. */
export type FeedEvent = Omit<BusEvent, 'detail'> & { readonly detail: OrderStatusChanged };

export type FeedReader = Awaited<ReturnType<typeof readFeed>>;

/** Reads the feed by the standard of Server-Sent Events. Resolves at the feed's first lines. */
export async function readFeed(
  baseUrl: string,
  { lastEventId, query = '' }: { readonly lastEventId?: string | undefined; readonly query?: string } = {},
) {
  const closing = new AbortController();
  const response = await fetch(`${baseUrl}/feed${query}`, {
    signal: closing.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  const type = response.headers.get('content-type');
  if (response.status !== 200 || response.body === null || type !== 'text/event-stream') {
    throw new Error(`The feed returned ${response.status} ${type}: ${await response.text()}`);
  }
  const events: FeedEvent[] = [];
  const comments: string[] = [];
  const begun = Promise.withResolvers<void>();
  let last = lastEventId;
  const take = (block: string): void => {
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) last = line.slice(4);
      if (line.startsWith('data: ')) events.push(JSON.parse(line.slice(6)));
      if (line.startsWith(': ')) comments.push(line.slice(2));
    }
    begun.resolve();
  };
  const ended = read(response.body, take).catch((error: unknown) => {
    if (!closing.signal.aborted) throw error;
  });
  await Promise.race([begun.promise, ended]);
  return {
    /** What has been received so far. */
    ...{ events, comments },
    /** What the reader would send as `Last-Event-ID` when it reconnects. */
    lastEventId: () => last,
    /** Resolves when the feed ends. */
    ended,
    async close() {
      closing.abort();
      await ended;
    },
  };
}

async function read(body: ReadableStream<Uint8Array>, take: (block: string) => void): Promise<void> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  }
}
