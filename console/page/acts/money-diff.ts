import type { Attention, OrderChange, OrderStatus, Transaction } from '@payhooks/order-client';

/** The parts of a transaction that an act may change. */
export type TransactionMoney = Pick<Transaction, 'status' | 'amount' | 'currency'>;

export interface TransactionDiff {
  /** `null` for an event that names no transaction. */
  readonly id: string | null;
  /** `null` for a transaction that the order did not have, or has no longer. */
  readonly before: TransactionMoney | null;
  readonly after: TransactionMoney | null;
}

/** What an act changes in one order, without what stays. */
export interface OrderDiff {
  readonly orderId: string;
  readonly before: OrderStatus | null;
  readonly after: OrderStatus;
  readonly transactions: readonly TransactionDiff[];
  readonly raised: readonly Attention[];
  readonly ended: readonly Attention[];
  /** The state stays the same; only the history grows. */
  readonly isHistoryOnly: boolean;
}

export function diffOf({ order_id: orderId, before, after }: OrderChange): OrderDiff {
  const transactions = transactionDiffs(before?.transactions ?? [], after.transactions);
  const [was, is] = [before?.attention ?? [], after.attention];
  const raised = is.filter((name) => !was.includes(name));
  const ended = was.filter((name) => !is.includes(name));
  const isSame = before?.status === after.status && transactions.length + raised.length + ended.length === 0;
  return {
    ...{ orderId, before: before?.status ?? null, after: after.status },
    ...{ transactions, raised, ended, isHistoryOnly: isSame },
  };
}

/** Several transactions of an order may have no id: they are compared in their order. */
function transactionDiffs(
  before: readonly Transaction[],
  after: readonly Transaction[],
): readonly TransactionDiff[] {
  const [were, are] = [byPlace(before), byPlace(after)];
  return [...new Set([...were.keys(), ...are.keys()])].flatMap((place) => {
    const [was, is] = [were.get(place), are.get(place)];
    const diff = {
      id: (is ?? was)?.id ?? null,
      before: was === undefined ? null : moneyOf(was),
      after: is === undefined ? null : moneyOf(is),
    };
    return JSON.stringify(diff.before) === JSON.stringify(diff.after) ? [] : [diff];
  });
}

function byPlace(transactions: readonly Transaction[]): ReadonlyMap<string, Transaction> {
  const counts = new Map<string | null, number>();
  return new Map(
    transactions.map((transaction) => {
      const count = counts.get(transaction.id) ?? 0;
      counts.set(transaction.id, count + 1);
      return [JSON.stringify([transaction.id, count]), transaction];
    }),
  );
}

const moneyOf = ({ status, amount, currency }: Transaction): TransactionMoney => ({
  status,
  amount,
  currency,
});
