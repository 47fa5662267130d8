import type { EventRow } from '../ports/rows.ts';
import { contributionsOf, sharedFacts } from './contributions.ts';
import { layOut } from './layout.ts';

/** What the first delivery of an event has to write after its row, and after its entry in its transaction. */
export interface FirstDelivery {
  readonly pending: readonly { readonly orderId: string; readonly text: string }[];
  /** The orders of an event that names none. */
  readonly assigned: readonly string[];
  /** The events without an order that have this order as well now; each is brought up to date by a repair. */
  readonly joining: readonly string[];
}

/** What it adds to its transaction, without reading anything. */
export const entryOf = (row: EventRow): string | undefined => contributionsOf([row])[0]?.entries[0];

/**
 * The same as `project` makes of an event that has just been stored. `entries`: those of its transaction
 * after its own was added, in which events that were added before or meanwhile are as well; of two events,
 * the one that comes second sees both. Empty for an event that adds none.
 */
export function firstDelivery(row: EventRow, entries: readonly string[]): FirstDelivery {
  const { eventId = '', reading } = row;
  const transactions = new Map(
    reading?.transactionId ? [[reading.transactionId, { entries, version: 0 }]] : [],
  );
  const { placed } = layOut({ eventId, rows: [], transactions, others: [] }, [row]);
  const pending = [...placed].flatMap(([orderId, texts]) => [...texts].map((text) => ({ orderId, text })));
  const [own] = contributionsOf([row]);
  const isPayment = reading?.meaning === 'paid' && reading.orderId !== null;
  const hasRoom = own?.entries.some((entry) => entries.includes(entry));
  return {
    pending,
    assigned:
      reading?.orderId == null ? [...placed.keys()].filter((id) => placed.get(id)?.has(own?.text ?? '')) : [],
    joining: isPayment && hasRoom ? [...sharedFacts(entries).keys()] : [],
  };
}
