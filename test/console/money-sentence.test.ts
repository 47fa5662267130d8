import type { Order, OrderEventDetail, OtherBody, Transaction, WaitingEvent } from '@payhooks/order-client';
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
    '45.00 USD is held of 2 transactions, the others are refunded.',
  ],
  [
    'two refunded payments',
    order('refunded', [refunded, refunded]),
    '2 transactions: all that was paid is refunded.',
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
  expect(moneySentence(given)).toBe(sentence);
});

it('says that nothing waits once that is known, and only of an order without a doubt', () => {
  const details = { events: [], waiting: [] };
  expect(moneySentence(order('paid', [paid]), details)).toBe('Paid 45.00 USD. Nothing waits.');
  expect(moneySentence(order('paid', [paid], ['disputed']), details)).toBe(
    'Paid 45.00 USD. A payment is disputed.',
  );
});

it('says how many events wait for a person', () => {
  const [one, two] = [[waiting], [waiting, waiting]].map((waits) =>
    moneySentence(order('paid', [paid]), { events: [], waiting: waits }),
  );
  expect(one).toBe('Paid 45.00 USD. 1 event waits for a person.');
  expect(two).toBe('Paid 45.00 USD. 2 events wait for a person.');
});

it('says what the bodies say that contradict the one that counts', () => {
  const other = (outcome: OtherBody['outcome'], amount: string | null) =>
    ({ outcome, amount, currency: 'USD' }) as OtherBody;
  const others = [other('conflict', '54.00'), other('duplicate', '45.00'), other('conflict', null)];
  const events = [{ others } as OrderEventDetail];
  expect(moneySentence(order('paid', [paid], ['conflicting_event']), { events, waiting: [waiting] })).toBe(
    'Paid 45.00 USD. Another body under the same event id says 54.00 USD. 1 event waits for a person.',
  );
});

it('writes out the characters of an amount that would turn the text around', () => {
  expect(moneySentence(order('paid', [transaction('paid', '1\u202e0')]))).toContain('1\\u{202e}0 USD');
});
