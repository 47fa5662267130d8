import type { ActResult } from '@payhooks/order-client';
import { type Wait, whenSubjectIsFree } from './act.ts';

export interface Page {
  readonly next_cursor: string | null;
  /** After which the run can go on; without it at once. */
  readonly retry_after_seconds?: number | null;
}

/** Where a page begins, and how many events it has at most. */
export interface Place {
  readonly cursor?: string;
  /** Which part of the tables, such as `3/12`, at its beginning. */
  readonly segment?: string;
  readonly limit?: number;
}

export interface PagesRequest<Result extends Page> {
  readonly request: (place: Place) => Promise<Result>;
  readonly handled: (page: Result) => number;
  /** How many of them a page has left as they are. */
  readonly leftIn?: (page: Result) => number;
  /** What is counted; `events` by default. */
  readonly what?: string;
  /** Such as `Replaying`. */
  readonly doing: string;
  /** The event or order, if it is only one. */
  readonly subject?: string | undefined;
  /** Into how many parts the work can be divided. */
  readonly segments?: number | undefined;
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined;
  /** It goes through the tables, so that a small part of them shows about how many events there are. */
  readonly isOfTables?: boolean;
  /** Whether a page has all events of its part; by default the last page does. */
  readonly hasAllEvents?: (page: Result) => boolean;
  /** Nothing is done yet. */
  readonly isPreview?: boolean;
  /** What the pages do in the end, such as `replayed`. */
  readonly done: string;
}

export type RequestPages = <Result extends Page>(work: PagesRequest<Result>) => Promise<readonly Result[]>;

/** Who performs an act in several pages. */
export interface PagePerformer {
  readonly requestPages: RequestPages;
  readonly signal?: AbortSignal | undefined;
}

/** One page after the other, as fast as they come. */
export const allPages =
  (wait: Wait): RequestPages =>
  async <Result extends Page>({ request, subject = 'an event' }: PagesRequest<Result>) => {
    const pages: Result[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const place = cursor === undefined ? {} : { cursor };
      const page = await whenSubjectIsFree({ wait, subject }, () => request(place));
      pages.push(page);
      cursor = page.next_cursor;
      if (cursor !== null && page.retry_after_seconds != null) await wait(page.retry_after_seconds, subject);
    }
    return pages;
  };

export type Whole<Result extends Page> = Omit<Result, keyof Page>;

/** One result for all pages; an order of several pages from its first `before` to its last `after`. */
export function wholeOf<Result extends ActResult & Page>(pages: readonly Result[]): Whole<Result> {
  // A page of which everything was erased before names the one who did that.
  const page = pages.find(({ changed }) => changed) ?? pages[0];
  if (page === undefined) throw new TypeError('A run has at least one page.');
  const { next_cursor: _, retry_after_seconds: __, ...whole } = page;
  const orders = new Map<string, ActResult['orders'][number]>();
  for (const change of pages.flatMap((page) => page.orders)) {
    const { before } = orders.get(change.order_id) ?? change;
    orders.set(change.order_id, { ...change, before });
  }
  return {
    ...whole,
    events: pages.flatMap(({ events }) => events),
    orders: [...orders.values()],
  };
}
