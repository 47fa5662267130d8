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

const transaction = (status: Transaction['status'], amount = '45.00'): Transaction => ({
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
const paid = transaction('paid');

it('adds up two failures, and does not take a refund after a failure for the refund of a payment', () => {
  const failed = transaction('failed');
  const details = { events: [], waiting: [], waiting_complete: true, reasons };
  expect(moneySentence(order('failed', [failed, failed]), details)).toContain(
    '2 × The payment of 45.00 USD failed',
  );
  const refunded = { ...transaction('refunded'), id: 'u' };
  expect(moneySentence(order('refunded', [refunded]), details)).toContain(
    'Refunded, but no payment is known.',
  );
});

it('says that nothing waits once that is known, and only of an order without a doubt', () => {
  const details = { events: [], waiting: [], waiting_complete: true, reasons: [] };
  expect(moneySentence(order('paid', [paid]), details)).toBe('Paid 45.00 USD. Nothing waits.');
  expect(moneySentence(order('paid', [paid], ['disputed']), details)).toBe('Paid 45.00 USD.');
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

it('says what the bodies say that contradict the one that counts', () => {
  const other = (outcome: OtherBody['outcome'], amount: string | null) =>
    ({ outcome, amount, currency: 'USD' }) as OtherBody;
  const others = [other('conflict', '54.00'), other('conflict', null)];
  const events = [{ others } as OrderEventDetail];
  const conflicting = order('paid', [paid], ['conflicting_event']);
  expect(moneySentence(conflicting, { events, waiting: [waiting], waiting_complete: true, reasons })).toBe(
    'Paid 45.00 USD. Another body under the same event id says 54.00 USD. 1 event waits for a person.',
  );
});

it('writes out the characters of an amount that would turn the text around', () => {
  expect(moneySentence(order('paid', [transaction('paid', '1\u202e0')]))).toContain('1\\u{202e}0 USD');
});
