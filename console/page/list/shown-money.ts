import type { Order, Transaction } from '@payhooks/order-client';

type Sum = Pick<Transaction, 'amount' | 'currency'>;

/**
 * The amount for the list: of the transactions that hold money, or else of those that took any, or else of
 * all. Several amounts are not added up: they may be a double charge, which the order's page shows.
 */
export function shownMoney({ transactions }: Pick<Order, 'transactions'>): Sum {
  const held = transactions.filter(({ status }) => status === 'paid' || status === 'partially_refunded');
  // Without an amount, a refund's payment is not known.
  const returned = transactions.filter(({ status, amount }) => status === 'refunded' && amount !== null);
  const shown = [held, returned, transactions].find(({ length }) => length > 0) ?? [];
  const [first] = shown;
  if (shown.length <= 1) return { amount: first?.amount ?? null, currency: first?.currency ?? null };
  const sums = new Set(shown.map(({ amount, currency }) => [amount ?? '?', currency].join(' ').trim()));
  const more = sums.size > 2 ? ` +${sums.size - 2}` : '';
  return sums.size === 1
    ? { amount: `${shown.length} × ${first?.amount ?? '?'}`, currency: first?.currency ?? null }
    : { amount: `${[...sums].slice(0, 2).join(', ')}${more}`, currency: null };
}
