import { transactionEntriesMax } from '../contract/limits.ts';
import { conflictFact, eventFact, sharedConflictFact, sharedFact } from '../domain/fact.ts';
import type { Reading } from '../domain/payment-event.ts';
import {
  assignedEntry,
  entryOfOrder,
  joinedOrders,
  namedOrders,
  replaceEntries,
  sharedFacts,
  sharedTexts,
} from '../domain/transaction-entry.ts';
import {
  type EventRow,
  isAdmitted,
  isConflict,
  isContender,
  isOwn,
  ordersOfRow,
  type ReadRow,
  type TransactionRow,
} from '../ports/rows.ts';

/** What is stored of one event id, without the orders. */
export interface StoredEvent {
  readonly eventId: string;
  /** Every row under the id. */
  readonly rows: readonly EventRow[];
  readonly transactions: ReadonlyMap<string, TransactionRow>;
  /** Every row of the other events without an order in these transactions. */
  readonly others: readonly EventRow[];
}

/** Where every fact and mark belongs that the event, or a transaction of it, has anything to do with. */
export interface Layout {
  /** Without its row nothing shows what the event was: what orders and transactions hold of it stays. */
  readonly isKnown: boolean;
  /** The entries of each transaction before and after. */
  readonly transactions: ReadonlyMap<string, Readonly<Record<'before' | 'after', readonly string[]>>>;
  /** By order: the texts that it must hold. */
  readonly placed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Texts other than those of the event that an order holds only if they are placed there. */
  readonly scope: ReadonlySet<string>;
  /** Every order that holds some of it, or shall. */
  readonly orderIds: readonly string[];
}

/** What one body adds, and where. */
interface Contribution {
  /** A fact, or the mark of a conflict. */
  readonly text: string;
  /** The order that gets it directly. */
  readonly orderId: string | null;
  /** The transaction through whose row it reaches other orders, or marks them. */
  readonly transactionId: string | null;
  /** The entries in that row. */
  readonly entries: readonly string[];
}

/**
 * What the bodies under one event id add. The event's own body counts. Another one counts as well when it
 * belongs to the same order, or transaction, where the fold chooses by content; or when an operator admitted
 * it. Otherwise both places get a mark. Without rows of transactions, what would reach orders through them
 * goes to those that the event has already.
 */
function contributionsOf(rows: readonly EventRow[], keepsTransactions: boolean): readonly Contribution[] {
  const own = rows.find(isOwn);
  if (own === undefined) return [];
  const added = rows
    .filter(isConflict)
    .flatMap((row) =>
      counts(row, own) ? [factOf(row)] : [...markAt(row.reading, row), ...markAt(own.reading, row)],
    );
  const all = [factOf(own), ...added];
  const { orderId: named, transactionId } = own.reading;
  const kept = keepsTransactions || named !== null ? [] : ordersOfRow(own);
  const shared = all.filter((one) => one.transactionId === transactionId && one.entries.includes(one.text));
  return [...all, ...shared.flatMap((one) => kept.map((orderId) => ({ ...one, orderId })))];
}

/** Whether a body counts: the event's own, or a conflicting one beside it. */
export const counts = (row: ReadRow, own: ReadRow): boolean =>
  row.record === own.record || isAdmitted(row) || isSameDestination(row.reading, own.reading);

/** Whether two bodies belong to one order, or to the orders of one transaction. */
const isSameDestination = (a: Reading, b: Reading): boolean =>
  a.orderId === b.orderId &&
  (a.orderId !== null || (a.transactionId !== null && a.transactionId === b.transactionId));

function factOf({ eventId, reading, judged }: ReadRow): Contribution {
  const { orderId, transactionId } = reading;
  const text = eventFact(eventId, reading);
  const given = judged?.orderId ?? null;
  if (orderId !== null) return { text, orderId, transactionId, entries: entryOfOrder(eventId, reading) };
  const assigned = given === null ? [] : [assignedEntry(eventId, given)];
  const entries = transactionId === null ? [] : [text, ...assigned];
  return { text, orderId: given, transactionId, entries };
}

/** Marks one of the places that two bodies contest. */
function markAt(
  { orderId, transactionId }: Reading,
  { eventId, bodySha256 }: ReadRow,
): readonly Contribution[] {
  if (orderId !== null)
    return [{ text: conflictFact(eventId, bodySha256), orderId, transactionId: null, entries: [] }];
  if (transactionId === null) return [];
  const text = sharedConflictFact(eventId, bodySha256, transactionId);
  return [{ text, orderId: null, transactionId, entries: [text] }];
}

/** The transactions of the bodies that count, or contest those that do. */
export const transactionIdsOf = (rows: readonly EventRow[]): readonly string[] => [
  ...new Set(rows.filter(isContender).flatMap(({ reading }) => reading.transactionId ?? [])),
];

/** `intended`: the rows under the id as they shall be read and judged, before what follows from that. */
export function layOut(stored: StoredEvent, intended: readonly EventRow[], keepsTransactions = true): Layout {
  const { eventId, rows, others } = stored;
  const contributions = contributionsOf(intended, keepsTransactions);
  const isKnown = intended.some(isOwn);
  const transactions = new Map(
    (keepsTransactions ? transactionIdsOf([...rows, ...intended]) : []).map((id) => {
      const before = stored.transactions.get(id)?.entries ?? [];
      const wanted = contributions.filter(({ transactionId }) => transactionId === id);
      const entries = [...new Set(wanted.flatMap((contribution) => contribution.entries))];
      return [id, { before, after: isKnown ? replaceEntries(before, eventId, entries) : before }];
    }),
  );
  const entries = [...transactions.values()];
  const shared = sharedTexts(entries.flatMap(({ before, after }) => [...before, ...after]));
  // A full row does not show every order, so that the marks of its orders stay.
  const complete = [...transactions].filter(([, { after }]) => after.length < transactionEntriesMax);
  const placed = placeAll(contributions, transactions);
  const orderIds = new Set([
    ...placed.keys(),
    ...namedOrders(entries.flatMap(({ before }) => before)),
    // Another body of another event is in no order of this one, unless it counts.
    ...[...rows, ...others.filter((row) => isOwn(row) || isAdmitted(row))].flatMap(ordersOfRow),
  ]);
  return {
    ...{ isKnown, transactions, placed },
    scope: new Set([...shared, ...complete.map(([id]) => sharedFact(id))]),
    orderIds: [...orderIds],
  };
}

function placeAll(contributions: readonly Contribution[], transactions: Layout['transactions']) {
  const placed = new Map<string, Set<string>>();
  const place = (orderId: string, texts: readonly string[]): void => {
    placed.set(orderId, new Set([...(placed.get(orderId) ?? []), ...texts]));
  };
  for (const { orderId, text } of contributions) if (orderId !== null) place(orderId, [text]);
  for (const [id, { after }] of transactions) {
    for (const orderId of joinedOrders(after)) place(orderId, sharedTexts(after));
    // The event's own order also where the row of the transaction had no room for its entry.
    const own = contributions.filter(
      ({ transactionId, entries }) => transactionId === id && entries.length > 0,
    );
    const named = new Set([...namedOrders(after), ...own.flatMap(({ orderId }) => orderId ?? [])]);
    if (named.size > 1) for (const orderId of named) place(orderId, [sharedFact(id)]);
  }
  return placed;
}

/** What the first delivery of an event has to write after its row, and after its entry in its transaction. */
export interface FirstDelivery {
  readonly pending: readonly { readonly orderId: string; readonly text: string }[];
  /** The orders of an event that names none. */
  readonly assigned: readonly string[];
  /** The events without an order that have this order as well now; each is brought up to date by a repair. */
  readonly joining: readonly string[];
}

/** What it adds to its transaction, without reading anything. */
export const entryOf = (row: ReadRow): string | undefined => factOf(row).entries[0];

/**
 * The same as `project` makes of an event that has just been stored. `entries`: those of its transaction
 * after its own was added, in which events that were added before or meanwhile are as well; of two events,
 * the one that comes second sees both. Empty for an event that adds none.
 */
export function firstDelivery(row: ReadRow, entries: readonly string[]): FirstDelivery {
  const { eventId, reading } = row;
  const transactions = new Map(
    reading.transactionId ? [[reading.transactionId, { entries, version: 0 }]] : [],
  );
  const { placed } = layOut({ eventId, rows: [], transactions, others: [] }, [row]);
  const own = factOf(row);
  const isPayment = reading.meaning === 'paid' && reading.orderId !== null;
  const hasRoom = own.entries.some((entry) => entries.includes(entry));
  const orders = [...placed].map(([orderId, texts]) => ({ orderId, texts: [...texts] }));
  const assigned = orders.flatMap(({ orderId, texts }) => (texts.includes(own.text) ? [orderId] : []));
  return {
    pending: orders.flatMap(({ orderId, texts }) => texts.map((text) => ({ orderId, text }))),
    assigned: reading.orderId === null ? assigned : [],
    joining: isPayment && hasRoom ? [...sharedFacts(entries).keys()] : [],
  };
}
