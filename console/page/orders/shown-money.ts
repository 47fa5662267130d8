import type { Order, Transaction } from '@payhooks/order-client';

type Money = Pick<Transaction, 'amount' | 'currency'>;

/**
 * The amount for the list: of the transactions that hold money, or else of those that took any, or else of
 * all. Several amounts are not added up: they may be a double charge, which the order's page shows.
 */
export function shownMoney({ transactions }: Pick<Order, 'transactions'>): Money {
  const held = transactions.filter(({ status }) => status === 'paid' || status === 'partially_refunded');
  // Without an amount, a refund's payment is not known.
  const returned = transactions.filter(({ status, amount }) => status === 'refunded' && amount !== null);
  const shown = [held, returned, transactions].find(({ length }) => length > 0) ?? [];
  const [first, ...others] = shown;
  if (first === undefined) return { amount: null, currency: null };
  if (others.length === 0) return { amount: first.amount, currency: first.currency };
  const sums = new Set(shown.map(moneyText));
  if (sums.size === 1)
    return { amount: `${shown.length} × ${first.amount ?? '?'}`, currency: first.currency };
  const [one, two] = sums;
  const more = sums.size > 2 ? ` +${sums.size - 2}` : '';
  return { amount: `${one}, ${two}${more}`, currency: null };
}

const moneyText = ({ amount, currency }: Money): string => [amount ?? '?', currency ?? ''].join(' ').trim();
