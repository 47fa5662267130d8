import { expect, it } from 'vitest';
import { moneyLine, summaryOf } from '../../operator/acts/bulk-summary.ts';
import type { ActPlan, BulkItem } from '../../operator/acts/documents.ts';

const item = (event_id: string, more: Partial<BulkItem> = {}): BulkItem => ({
  ...{
    event_id,
    event_name: 'transaction.paid',
    meaning: 'paid',
    order_id: event_id,
    body_sha256: null,
    kind: 'quarantined',
  },
  ...{ amount: '10.00', currency: 'USD', ...more },
});

it('the preview of a bulk act adds up 26 digits exactly, by currency, and payments and refunds apart', () => {
  const refunded = { event_name: 'transaction.refunded', meaning: 'refunded', currency: 'EUR' } as const;
  const items = [
    ...[
      item('a', { amount: '99999999999999999999999999.99' }),
      item('b', { amount: '0.011', currency: 'usd' }),
    ],
    ...[item('c', { amount: '7', currency: 'EUR' }), item('d', { amount: 'many' })],
    ...[item('e', { ...refunded, amount: '0.10' }), item('f', { ...refunded, amount: '0.20' })],
    ...[
      item('g', { event_name: 'transaction.failed', meaning: 'failed' }),
      item('h', { event_name: null, amount: null }),
      item('i', { event_name: '\u001b[2Jpayments', meaning: null, currency: 'U\u0007SD' }),
      item('j', { event_name: 'bodies that are no event', meaning: null }),
    ],
  ];
  const plan = { orders: [{ order_id: 'o' }] } as unknown as ActPlan;
  const { money, ...counts } = summaryOf(items.map((one) => ({ item: one, plan })));
  expect([counts, money.map(moneyLine)]).toEqual([
    { events: 10, orders: 1 },
    [
      '4 payments: 100000000000000000000000000.001 USD, 7 EUR; 1 without an amount',
      '2 refunds: 0.30 EUR',
      '1 failed payments',
      '1 bodies that are no event',
      ...['1 “[2Jpayments”: 10.00 USD', '1 “bodies that are no event”: 10.00 USD'],
    ],
  ]);
});
