import type { ReplayResult } from '@payhooks/order-client';

/** All pages of a run. */
export type WholeReplay = Omit<ReplayResult, 'next_cursor'>;

/** One result for all pages; an order of several pages from its first `before` to its last `after`. */
export function wholeOf(pages: readonly ReplayResult[]): WholeReplay {
  const [first] = pages;
  if (first === undefined) throw new TypeError('A run has at least one page.');
  const { next_cursor: _, ...whole } = first;
  const orders = new Map<string, ReplayResult['orders'][number]>();
  for (const change of pages.flatMap((page) => page.orders)) {
    const { before } = orders.get(change.order_id) ?? change;
    orders.set(change.order_id, { ...change, before });
  }
  return {
    ...whole,
    changed: pages.some(({ changed }) => changed),
    events: pages.flatMap(({ events }) => events),
    orders: [...orders.values()],
    replayed: pages.reduce((sum, { replayed }) => sum + replayed, 0),
    left: pages.flatMap(({ left }) => left),
  };
}

/** Such as `2 events would be replayed; orders that change: 1.` */
export function describeReplay({ replayed, left, orders }: WholeReplay, verb: string): string {
  const reasons = Map.groupBy(left, ({ reason }) => reason);
  const kinds = [...reasons].map(([reason, events]) => `${events.length} ${reason}`);
  const kept = left.length === 0 ? '' : ` Left as they are: ${kinds.join(', ')}.`;
  const events = replayed === 1 ? '1 event' : `${replayed} events`;
  return `${events} ${verb}; orders that change: ${orders.length}.${kept}`;
}
