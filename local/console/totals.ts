import type { LiveLogEntry } from '../live-log/entry.ts';

const outcomes = ['applied', 'recorded', 'duplicate', 'conflict', 'quarantined', 'unrecognised'] as const;
const messages: Readonly<Record<string, Counted>> = {
  'webhook accepted': 'accepted',
  'webhook refused': 'refused',
  'webhook failed': 'failed',
  'record will be retried': 'retried',
  'order change published': 'published',
  'order change not published': 'unpublished',
};
type Counted =
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'retried'
  | 'published'
  | 'unpublished'
  | (typeof outcomes)[number];

/**
 * What each stage has done since the start; `waiting` is what was accepted and not handled so far, `orders`
 * is how many orders have had a status. `unpublished` counts attempts: the feed tries again.
 */
export type Totals = Readonly<Record<Counted | 'waiting' | 'orders', number>>;

const rememberedMax = 10_000;

/** Counts entries for good, where the live log keeps only the latest of them. */
export function createTotals(): { add(entry: LiveLogEntry): void; read(): Totals } {
  const counts: Record<Counted, number> = {
    ...{ accepted: 0, refused: 0, failed: 0, retried: 0, published: 0, unpublished: 0 },
    ...{ applied: 0, recorded: 0, duplicate: 0, conflict: 0, quarantined: 0, unrecognised: 0 },
  };
  const waiting = new Set<string>();
  const handled = new Set<string>();
  const orders = new Set<string>();

  const add = ({ message, fields }: LiveLogEntry): void => {
    const counted = countedAs(message, fields.outcome);
    if (counted !== undefined) counts[counted] += 1;
    if (fields.order_status !== undefined) remember(orders, `${fields.mode}:${fields.order_id}`);
    const request = fields.request_id;
    if (request === undefined) return;
    // The consumer may be done before the verifier's line is read, and the queue may deliver twice.
    if (message === 'webhook accepted' && !handled.has(request)) remember(waiting, request);
    if (message === 'event handled') {
      waiting.delete(request);
      remember(handled, request);
    }
  };

  return { add, read: () => ({ ...counts, waiting: waiting.size, orders: orders.size }) };
}

function countedAs(message: string, outcome: string | undefined): Counted | undefined {
  if (message !== 'event handled') return Object.hasOwn(messages, message) ? messages[message] : undefined;
  return outcomes.find((name) => name === outcome);
}

function remember(set: Set<string>, value: string): void {
  set.add(value);
  const [oldest] = set;
  if (set.size > rememberedMax && oldest !== undefined) set.delete(oldest);
}
