import { transactionEntriesMax } from '../contract/limits.ts';
import { sharedFact } from '../domain/fact.ts';
import type { EventRow, TransactionRow } from '../ports/rows.ts';
import {
  type Contribution,
  contributionsOf,
  isOwn,
  joinedOrders,
  namedOrders,
  replaceEntries,
  sharedFacts,
  sharedTexts,
  transactionsOf,
} from './contributions.ts';

/** What is stored of one event id, without the orders. */
export interface StoredEvent {
  readonly eventId: string;
  /** Every row under the id. */
  readonly rows: readonly EventRow[];
  readonly transactions: ReadonlyMap<string, TransactionRow>;
  /** The rows of the other events without an order in these transactions. */
  readonly others: readonly EventRow[];
}

/** The rows under the id as they shall be read and judged; what follows from that is not yet right. */
export type IntendedRows = readonly EventRow[];

/** Where every fact and mark belongs that the event, or a transaction of it, has anything to do with. */
export interface Layout {
  /** Without its row nothing shows what the event was: what orders and transactions hold of it stays. */
  readonly isKnown: boolean;
  readonly contributions: readonly Contribution[];
  /** The entries of each transaction before and after. */
  readonly transactions: ReadonlyMap<string, TransactionLayout>;
  /** By order: the texts that it must hold. */
  readonly placed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Texts other than those of the event that an order holds only if they are placed there. */
  readonly scope: ReadonlySet<string>;
  /** Every order that holds some of it, or shall. */
  readonly orderIds: readonly string[];
}

export interface TransactionLayout {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export const transactionIdsOf = (rows: readonly EventRow[], intended: IntendedRows): readonly string[] => [
  ...new Set([...transactionsOf(rows), ...transactionsOf(intended)]),
];

/** The facts of the other events that name no order in these transactions, by event id. */
export function otherFactsIn(
  transactions: ReadonlyMap<string, TransactionRow>,
  eventId: string,
): ReadonlyMap<string, readonly string[]> {
  const facts = sharedFacts([...transactions.values()].flatMap(({ entries }) => entries));
  return new Map([...facts].filter(([id]) => id !== eventId));
}

export function layOut(stored: StoredEvent, intended: IntendedRows): Layout {
  const { eventId, rows, others } = stored;
  const contributions = contributionsOf(intended);
  const isKnown = intended.some(isOwn);
  const transactions = new Map(
    transactionIdsOf(rows, intended).map((id): [string, TransactionLayout] => {
      const before = stored.transactions.get(id)?.entries ?? [];
      const wanted = contributions.flatMap(({ transactionId, entries }) =>
        transactionId === id ? entries : [],
      );
      return [
        id,
        { before, after: isKnown ? replaceEntries(before, eventId, [...new Set(wanted)]) : before },
      ];
    }),
  );
  const shared = [...transactions.values()].flatMap(({ before, after }) => [
    ...sharedTexts(before),
    ...sharedTexts(after),
  ]);
  // A full row does not show every order, so that the marks of its orders stay.
  const complete = [...transactions].filter(([, { after }]) => after.length < transactionEntriesMax);
  const scope = new Set([...shared, ...complete.map(([id]) => sharedFact(id))]);
  const placed = placeAll({ contributions, transactions });
  const orderIds = new Set([
    ...placed.keys(),
    ...[...transactions.values()].flatMap(({ before }) => namedOrders(before)),
    ...[...rows, ...others].flatMap(ordersOfRow),
  ]);
  return { isKnown, contributions, transactions, placed, scope, orderIds: [...orderIds].sort() };
}

/** The orders that a row names, has, or was given. */
export const ordersOfRow = ({ reading, assignedOrderIds, judged }: EventRow): readonly string[] =>
  [reading?.orderId, judged?.orderId, ...assignedOrderIds].filter((id) => id != null);

function placeAll({ contributions, transactions }: Pick<Layout, 'contributions' | 'transactions'>) {
  const placed = new Map<string, Set<string>>();
  const place = (orderId: string, texts: readonly string[]): void => {
    const present = placed.get(orderId) ?? new Set();
    placed.set(orderId, present);
    for (const text of texts) present.add(text);
  };
  for (const { orderId, text } of contributions) if (orderId !== null) place(orderId, [text]);
  for (const [id, { after }] of transactions) {
    for (const orderId of joinedOrders(after)) place(orderId, sharedTexts(after));
    const named = new Set([...namedOrders(after), ...ownOrders(contributions, id)]);
    if (named.size > 1) for (const orderId of named) place(orderId, [sharedFact(id)]);
  }
  return placed;
}

/** Also where the row of the transaction had no room for the entry. */
const ownOrders = (contributions: readonly Contribution[], id: string): readonly string[] =>
  contributions.flatMap(({ transactionId, orderId, entries }) =>
    transactionId === id && orderId !== null && entries.length > 0 ? [orderId] : [],
  );
