import type {
  Order,
  OrderEventDetail,
  OtherBody,
  StateReason,
  Transaction,
  WaitingEvent,
} from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { moneySentence } from '../../console/page/order/money-sentence.ts';

const transaction = (status: Transaction['status'], amount: string | null = '45.00'): Transaction => ({
  ...{ id: 't', status, amount, currency: 'USD', created_at: null },
});
const order = (
  status: Order['status'],
  transactions: readonly Transaction[],
  attention: Order['attention'] = [],
) => ({ status, transactions: [...transactions], attention });
const reasons: StateReason[] = [
  { rule: 'payment_counted', transaction_id: 't', event_ids: ['e'], amount: '45.00', currency: 'USD' },
];
const waiting = { event_id: 'e' } as WaitingEvent;
const [paid, refunded, failed] = [transaction('paid'), transaction('refunded'), transaction('failed')];

it.each([
  ['a payment', order('paid', [paid]), 'Paid 45.00 USD.'],
  ['a payment after a failure', order('paid', [failed, paid]), 'Paid 45.00 USD.'],
  ['a full refund', order('refunded', [refunded]), 'Paid 45.00 USD, refunded in full.'],
  [
    'a partial refund',
    order('partially_refunded', [transaction('partially_refunded')]),
    'Paid 45.00 USD, refunded in part.',
  ],
  ['a failure', order('failed', [failed]), 'The payment of 45.00 USD failed: no money came in.'],
  ['two failures', order('failed', [failed, failed]), 'Every payment failed: no money came in.'],
  ['history', order('pending', [transaction('pending')]), 'No event so far says that money moved.'],
  [
    'a double charge',
    order('paid', [paid, paid], ['multiple_paid_transactions']),
    '2 charges of 45.00 USD: one of them may be a double charge.',
  ],
  [
    'two different charges',
    order('paid', [paid, transaction('paid', '9.00')], ['multiple_paid_transactions']),
    '2 charges, 45.00 USD and 9.00 USD: one of them may be a double charge.',
  ],
  [
    'a double charge of which one was refunded',
    order('paid', [refunded, paid]),
    'Paid 45.00 USD. Another payment, of 45.00 USD, was refunded in full.',
  ],
  [
    'a double charge of which one was refunded in part',
    order('partially_refunded', [paid, transaction('partially_refunded')], ['multiple_paid_transactions']),
    '2 charges of 45.00 USD: one of them may be a double charge. 1 of them is refunded in part.',
  ],
  ['two charges that a person has judged', order('paid', [paid, paid]), '2 charges of 45.00 USD.'],
  [
    'many charges',
    order(
      'paid',
      ['1', '2', '1', '3', '4', '5'].map((amount) => transaction('paid', amount)),
    ),
    '6 charges, 2 × 1 USD, 2 USD, 3 USD and 2 other amounts.',
  ],
  [
    'a payment that was refunded in part and one refunded in full, and a failure',
    order('partially_refunded', [transaction('partially_refunded'), failed, transaction('refunded', '9')]),
    'Paid 45.00 USD, refunded in part. Another payment, of 9 USD, was refunded in full.',
  ],
  [
    'a payment and a refund without one, which a person has judged',
    order('partially_refunded', [paid, transaction('refunded', null)]),
    'Paid 45.00 USD. Another transaction was refunded, but no payment of it is known.',
  ],
  [
    'a refund after a failed payment, which a person has judged',
    order('refunded', [{ ...refunded, id: 'u' }]),
    'Refunded, but no payment is known.',
  ],
  [
    'two full refunds, of which each may be the total',
    order('refunded', [refunded], ['refund_exceeds_payment']),
    'Paid 45.00 USD, refunded in full. More may have gone back than came in.',
  ],
  [
    'two refunded payments',
    order('refunded', [refunded, refunded]),
    '2 payments of 45.00 USD, refunded in full.',
  ],
  [
    'a refund without a payment',
    order('refunded', [transaction('refunded', null)], ['refund_without_payment']),
    'Refunded, but no payment is known.',
  ],
  [
    'a conflict and a dispute',
    order('paid', [paid], ['conflicting_event', 'disputed']),
    'Paid 45.00 USD. Two bodies under one event id contradict each other. A payment is disputed.',
  ],
  [
    'a payment without an amount',
    order('paid', [transaction('paid', null)], ['payment_amount_unreadable']),
    'Paid an unknown amount. The amount of a payment is not readable.',
  ],
])('says what happened to the money of %s', (_, given, sentence) => {
  const details = { events: [], waiting: [], reasons };
  expect(moneySentence(given, details).replace(' Nothing waits.', '')).toBe(sentence);
});

it('says that nothing waits once that is known, and only of an order without a doubt', () => {
  const details = { events: [], waiting: [], reasons: [] };
  expect(moneySentence(order('paid', [paid]), details)).toBe('Paid 45.00 USD. Nothing waits.');
  expect(moneySentence(order('paid', [paid], ['disputed']), details)).toBe(
    'Paid 45.00 USD. A payment is disputed.',
  );
});

it('does not say that nothing waits of an order whose waiting events could not all be searched', () => {
  const details = { events: [], waiting: [], waiting_complete: false, reasons: [] };
  const more = 'More events wait than could be searched for this order.';
  expect(moneySentence(order('paid', [paid]), details)).toBe(`Paid 45.00 USD. ${more}`);
  const waiting = [{} as WaitingEvent];
  expect(moneySentence(order('paid', [paid]), { ...details, waiting })).toBe(
    `Paid 45.00 USD. 1 event waits for a person. ${more}`,
  );
});

it('says how many events wait for a person', () => {
  const [one, two] = [[waiting], [waiting, waiting]].map((waits) =>
    moneySentence(order('paid', [paid]), { events: [], waiting: waits, reasons }),
  );
  expect(one).toBe('Paid 45.00 USD. 1 event waits for a person.');
  expect(two).toBe('Paid 45.00 USD. 2 events wait for a person.');
});

it('says what the bodies say that contradict the one that counts', () => {
  const other = (outcome: OtherBody['outcome'], amount: string | null) =>
    ({ outcome, amount, currency: 'USD' }) as OtherBody;
  const others = [other('conflict', '54.00'), other('conflict', null)];
  const events = [{ others } as OrderEventDetail];
  const conflicting = order('paid', [paid], ['conflicting_event']);
  expect(moneySentence(conflicting, { events, waiting: [waiting], reasons })).toBe(
    'Paid 45.00 USD. Another body under the same event id says 54.00 USD. 1 event waits for a person.',
  );
});

it('writes out the characters of an amount that would turn the text around', () => {
  expect(moneySentence(order('paid', [transaction('paid', '1\u202e0')]))).toContain('1\\u{202e}0 USD');
});

it('says nothing about what waits while that is not known', () => {
  expect(moneySentence(order('paid', [paid]))).toBe('Paid 45.00 USD.');
});
