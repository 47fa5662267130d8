import { describe, expect, it } from 'vitest';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { eventTitle, orderMoney, transactionText } from '../../../lambdas/domain/money-text.ts';
import { type FactFields, fact, paid } from '../../doubles/facts.ts';

const failed = (id: string, fields: FactFields) => fact(id, 'failed', fields);
const refunded = (id: string, fields: FactFields) => fact(id, 'refunded', fields);
const usd = (amount: string) => ({ amount, currency: 'USD' });
const eur = (amount: string | null) => ({ amount, currency: 'EUR' });
const other = { transactionId: 'U' };

it.each([
  ['paid', '75.00', 'Payment of 75.00 USD'],
  ['refunded', '20.00', 'Refund of 20.00 USD'],
  ['failed', '75.00', 'Failed payment of 75.00 USD'],
  ['disputed', null, 'Dispute without an amount'],
  ['history', '75.00', 'transaction.x of 75.00 USD'],
  [null, null, 'transaction.x'],
] as const)('an event that means %s over %s is a “%3$s”', (meaning, amount, title) => {
  expect(eventTitle({ event_name: 'transaction.x', meaning, amount, currency: 'USD' })).toBe(title);
});

/** The facts of an order, the amount that a list shows, and the sentence of its first transaction. */
const orders: readonly (readonly [string, readonly string[], string | null, string])[] = [
  ['a payment', [paid('a', usd('75.00'))], '75.00 USD', 'payment of 75.00 USD'],
  ['a failed payment', [failed('a', usd('75.00'))], null, 'failed payment of 75.00 USD'],
  [
    'a payment that was refunded in part',
    [paid('a', eur('80.00')), refunded('b', eur('30.00'))],
    ...(['80.00 EUR, 30.00 returned', 'payment of 80.00 EUR, 30.00 returned'] as const),
  ],
  [
    'a payment with two refunds, which may add up or not',
    [paid('a', eur('80.00')), refunded('b', eur('30.00')), refunded('c', eur('40.00'))],
    ...(['80.00 EUR, a part returned', 'payment of 80.00 EUR, a part returned'] as const),
  ],
  [
    'a refund in another currency',
    [paid('a', eur('80.00')), refunded('b', usd('30.00'))],
    ...(['80.00 EUR, a part returned', 'payment of 80.00 EUR, a part returned'] as const),
  ],
  [
    'a refund of a payment without an amount',
    [paid('a', eur(null)), refunded('b', eur('30.00'))],
    ...(['no amount, 30.00 EUR returned', 'payment without an amount, 30.00 EUR returned'] as const),
  ],
  [
    'a refund without a payment',
    [refunded('a', eur('20.00'))],
    ...(['20.00 EUR returned', 'refund of 20.00 EUR; its payment is unknown'] as const),
  ],
  [
    'a refund without a payment, after a failure',
    [failed('a', eur('80.00')), refunded('b', eur('20.00'))],
    ...(['20.00 EUR returned', 'refund of 20.00 EUR; its payment is unknown'] as const),
  ],
  [
    'two equal payments',
    [paid('a', usd('45.00')), paid('b', { ...usd('45.00'), ...other })],
    ...(['2 × 45.00 USD', 'payment of 45.00 USD'] as const),
  ],
  [
    'a payment beside one that went back',
    [
      paid('a', usd('45.00')),
      paid('b', { ...usd('9.00'), ...other }),
      refunded('c', { ...usd('9.00'), ...other }),
    ],
    ...(['45.00 USD', 'payment of 45.00 USD'] as const),
  ],
];

describe('the money of an order', () => {
  it.each(orders)('with %s', (_, facts, amount, sentence) => {
    const { transactions } = foldOrder(facts);
    expect(orderMoney(transactions)).toBe(amount);
    expect(transactions.map(transactionText)[0]).toBe(sentence);
  });
});
