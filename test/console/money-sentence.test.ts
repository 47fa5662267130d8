import type { WaitingEvent } from '@payhooks/order-client';
import { expect, it } from 'vitest';
import { moneySentence } from '../../console/page/order/money-sentence.ts';

const paid = (amount: string): Parameters<typeof moneySentence>[0] => ({
  transactions: [{ id: 't', status: 'paid', amount, returned: null, currency: 'USD', created_at: null }],
  attention: [],
});

it('does not say that nothing waits of an order whose waiting events could not all be searched', () => {
  const details = { events: [], waiting: [], waiting_complete: false };
  const more = 'More events wait than could be searched for this order.';
  expect(moneySentence(paid('45.00'), details)).toBe(`Payment of 45.00 USD. ${more}`);
  const waiting = [{} as WaitingEvent];
  expect(moneySentence(paid('45.00'), { ...details, waiting })).toBe(
    `Payment of 45.00 USD. 1 event waits for a person. ${more}`,
  );
});

it('writes out the characters of an amount that would turn the text around', () => {
  expect(moneySentence(paid('1\u202e0'))).toContain('1\\u{202e}0 USD');
});
