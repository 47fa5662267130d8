import type { OrderEventDetail, OrderEvents, Transaction } from '@payhooks/order-client';
import { type Role, rolesOf } from './roles.ts';

/** Money that came in, or went back. */
export interface Move {
  readonly key: string;
  readonly amount: string | null;
  readonly currency: string | null;
  /** When it was received first. */
  readonly at: string | null;
  /** The events that report it; more than one moves no more money. */
  readonly reports: number;
  /** Another event of the transaction reports a larger payment. */
  readonly isOutranked: boolean;
}

export interface TransactionMoves {
  readonly transaction: Transaction;
  readonly cameIn: readonly Move[];
  /** Several: each is an amount of its own, or the total so far; the payment service does not say which. */
  readonly wentBack: readonly Move[];
}

/** What came in and what went back, for each transaction of an order. */
export function transactionMoves(
  transactions: readonly Transaction[],
  { events, reasons }: Pick<OrderEvents, 'events' | 'reasons'>,
): readonly TransactionMoves[] {
  const roles = rolesOf(reasons);
  const alone = events.filter(({ transaction_id }) => transaction_id === null);
  return transactions.map((transaction) => {
    const own = transaction.id === null ? takeOne(alone, transaction, roles) : eventsOf(events, transaction);
    const withRole = (role: Role) => own.filter(({ id }) => roles.get(id) === role);
    return {
      transaction,
      cameIn: paymentsOf(withRole('payment'), transaction),
      wentBack: withRole('refund').map((event) => moveOf([event], { transaction, isOutranked: false })),
    };
  });
}

const eventsOf = (events: readonly OrderEventDetail[], { id }: Transaction): readonly OrderEventDetail[] =>
  events.filter(({ transaction_id }) => transaction_id === id);

const statusOfRole: Readonly<Partial<Record<Role, Transaction['status']>>> = {
  payment: 'paid',
  failure: 'failed',
  refund: 'refunded',
};

/**
 * Takes the event of a transaction without an id: each such event is a transaction of its own. Two that say
 * the same are the same to a reader.
 */
function takeOne(
  alone: OrderEventDetail[],
  { status, amount, currency }: Transaction,
  roles: ReadonlyMap<string, Role>,
): readonly OrderEventDetail[] {
  const place = alone.findIndex((event) => {
    const itsStatus = statusOfRole[roles.get(event.id) ?? 'none'] ?? 'pending';
    const itsAmount = itsStatus === 'refunded' ? null : event.amount;
    return itsStatus === status && itsAmount === amount && event.currency === currency;
  });
  return place < 0 ? [] : alone.splice(place, 1);
}

/** One payment of each amount; the one that counts first. */
function paymentsOf(payments: readonly OrderEventDetail[], transaction: Transaction): readonly Move[] {
  const counting = decimal(transaction.amount);
  return [...Map.groupBy(payments, (event) => moneyKey(event, transaction))]
    .map(([, group]) => {
      const isOutranked = decimal(group[0]?.amount ?? null) !== counting;
      return moveOf(group, { transaction, isOutranked });
    })
    .toSorted((a, b) => Number(a.isOutranked) - Number(b.isOutranked));
}

type Money = Pick<Transaction, 'amount' | 'currency'>;

/** An event without a currency has that of its transaction; case does not matter. */
const moneyKey = ({ amount, currency }: Money, transaction: Money): string =>
  JSON.stringify([decimal(amount), (currency ?? transaction.currency)?.toUpperCase() ?? null]);

/** `100`, `100.00` and `0100` are one amount; what is no decimal number is only the same as itself. */
const decimal = (text: string | null): string | null =>
  text !== null && /^[0-9]+(\.[0-9]+)?$/.test(text)
    ? text.replace(/^0+(?=[0-9])/, '').replace(/\.0*$|(\.[0-9]*?)0+$/, '$1')
    : text;

function moveOf(
  reports: readonly OrderEventDetail[],
  { transaction, isOutranked }: { readonly transaction: Transaction; readonly isOutranked: boolean },
): Move {
  const [first] = reports;
  return {
    key: first?.id ?? '',
    amount: first?.amount ?? null,
    currency: first?.currency ?? transaction.currency,
    at: first?.received_at ?? null,
    ...{ reports: reports.length, isOutranked },
  };
}
