import type { LiveLogEntry } from '../live-log/entry.ts';

/** The counter of each log message; handled events are counted by their outcome. */
const counters: ReadonlyMap<string, Counter> = new Map([
  ['webhook accepted', 'accepted'],
  ['webhook refused', 'refused'],
  ['webhook failed', 'failed'],
  ['record will be retried', 'retried'],
  ['order change published', 'published'],
  ['order change not published', 'unpublished'],
]);
const outcomes = [
  'applied',
  'recorded',
  'unassigned',
  'duplicate',
  'conflict',
  'quarantined',
  'unrecognised',
] as const;
type Counter =
  | (typeof outcomes)[number]
  | 'accepted'
  | 'refused'
  | 'failed'
  | 'retried'
  | 'published'
  | 'unpublished';

/**
 * What each stage has done since the start. `waiting`: accepted and not yet handled. `orders`: orders that
 * have had a status. `unpublished`: failed attempts, which the order feed repeats.
 */
export type Totals = Readonly<Record<Counter | 'waiting' | 'orders', number>>;

const rememberedMax = 10_000;

/** Counts all entries; the live log keeps only the latest. */
export function createTotals(): { add(entry: LiveLogEntry): void; read(): Totals } {
  const counts: Record<Counter, number> = {
    ...{ accepted: 0, refused: 0, failed: 0, retried: 0, published: 0, unpublished: 0 },
    ...{ applied: 0, recorded: 0, unassigned: 0, duplicate: 0, conflict: 0, quarantined: 0, unrecognised: 0 },
  };
  const waiting = new Set<string>();
  const handled = new Set<string>();
  const orders = new Set<string>();

  return {
    add({ message, fields }) {
      const isHandled = message === 'event handled';
      const counter = isHandled ? outcomes.find((name) => name === fields.outcome) : counters.get(message);
      if (counter !== undefined) counts[counter] += 1;
      if (fields.order_status !== undefined) remember(orders, `${fields.mode}:${fields.order_id}`);
      const id = fields.request_id;
      if (id === undefined) return;
      // The consumer's line can come before the verifier's, and SQS can deliver a message twice.
      if (message === 'webhook accepted' && !handled.has(id)) remember(waiting, id);
      if (isHandled) {
        waiting.delete(id);
        remember(handled, id);
      }
    },
    read: () => ({ ...counts, waiting: waiting.size, orders: orders.size }),
  };
}

function remember(set: Set<string>, value: string): void {
  set.add(value);
  const [oldest] = set;
  if (set.size > rememberedMax && oldest !== undefined) set.delete(oldest);
}
