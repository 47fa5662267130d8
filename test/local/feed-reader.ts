/** An event as a rule's target gets it, and as each `data:` line of the local feed holds one. */
export interface FeedEvent {
  readonly version: string;
  readonly id: string;
  readonly 'detail-type': string;
  readonly source: string;
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: FeedDetail;
}

/** The fields of `docs/order-feed.md` that an order system works with. */
export interface FeedDetail {
  readonly id: string;
  readonly order_id: string;
  readonly mode: string;
  readonly sequence: number;
  readonly previous: FeedCondition | null;
  readonly current: FeedCondition;
  readonly caused_by: readonly { readonly id: string }[];
}

export interface FeedCondition {
  readonly status: string;
  readonly attention: readonly string[];
}

export interface FeedReader {
  /** What has come so far. */
  readonly events: FeedEvent[];
  readonly comments: string[];
  /** What the reader would send as `Last-Event-ID` when it came back. */
  lastEventId(): string | undefined;
  /** Resolves when the feed ends; leaves it before that when asked to. */
  readonly ended: Promise<void>;
  leave(): Promise<void>;
}

/** Reads the feed as the standard of Server-Sent Events has it. Resolves at the feed's first lines. */
export async function readFeed(
  baseUrl: string,
  { lastEventId, query = '' }: { readonly lastEventId?: string | undefined; readonly query?: string } = {},
): Promise<FeedReader> {
  const leaving = new AbortController();
  const response = await fetch(`${baseUrl}/feed${query}`, {
    signal: leaving.signal,
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
  const type = response.headers.get('content-type');
  if (response.status !== 200 || response.body === null || type !== 'text/event-stream') {
    throw new Error(`The feed answers ${response.status} ${type}: ${await response.text()}`);
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
    if (!leaving.signal.aborted) throw error;
  });
  await Promise.race([begun.promise, ended]);
  return {
    events,
    comments,
    lastEventId: () => last,
    ended,
    async leave() {
      leaving.abort();
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
