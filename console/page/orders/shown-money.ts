import type { Order } from '@payhooks/order-client';

/**
 * The amount for the list: of the transaction that took money, or else of the only one. Several amounts are
 * not added up: they may be a double charge, which the order's page shows.
 */
export function shownMoney({ transactions }: Pick<Order, 'transactions'>): {
  readonly amount: string | null;
  readonly currency: string | null;
} {
  const withMoney = transactions.filter(({ status }) => status !== 'failed' && status !== 'pending');
  const [first, ...others] = withMoney.length > 0 ? withMoney : transactions;
  if (first === undefined) return { amount: null, currency: null };
  if (others.length > 0 && withMoney.length > 1) {
    return { amount: `${withMoney.length} × ${first.amount ?? '?'}`, currency: first.currency };
  }
  return { amount: first.amount, currency: first.currency };
}
