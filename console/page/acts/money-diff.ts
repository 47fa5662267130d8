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

function transactionDiffs(
  before: readonly Transaction[],
  after: readonly Transaction[],
): readonly TransactionDiff[] {
  const [were, are] = [byId(before), byId(after)];
  const withId = [...new Set([...were.keys(), ...are.keys()])].flatMap((id) => {
    const [was, is] = [were.get(id), are.get(id)];
    const diff = { id, before: was ?? null, after: is ?? null };
    return JSON.stringify(diff.before) === JSON.stringify(diff.after) ? [] : [diff];
  });
  return [...withId, ...diffsWithoutId(before, after)];
}

const byId = (transactions: readonly Transaction[]): ReadonlyMap<string, TransactionMoney> =>
  new Map(transactions.flatMap((one) => (one.id === null ? [] : [[one.id, moneyOf(one)]])));

/** Each event that names no transaction is one of its own, so that none of them becomes another. */
function diffsWithoutId(before: readonly Transaction[], after: readonly Transaction[]): TransactionDiff[] {
  const left = after.filter(({ id }) => id === null).map(moneyOf);
  const gone = before.filter((one) => {
    if (one.id !== null) return false;
    const place = left.findIndex((is) => JSON.stringify(is) === JSON.stringify(moneyOf(one)));
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return [
    ...gone.map((was) => ({ id: null, before: moneyOf(was), after: null })),
    ...left.map((is) => ({ id: null, before: null, after: is })),
  ];
}

const moneyOf = ({ status, amount, currency }: Transaction): TransactionMoney => ({
  status,
  amount,
  currency,
});
