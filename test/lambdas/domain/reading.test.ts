import { describe, expect, it } from 'vitest';
import { createMeaningOf, meanings } from '../../../lambdas/domain/assumptions.ts';
import {
  isSameReading,
  movesMoney,
  parsePaymentEvent,
  type Reading,
  readingOf,
} from '../../../lambdas/domain/payment-event.ts';

const meaningOf = createMeaningOf({ 'invoice.voided': 'refunded' });
const read = (event: object): Reading => {
  const parsed = parsePaymentEvent(Buffer.from(JSON.stringify({ id: 'e', ...event })));
  if (!parsed.ok) throw new Error(parsed.reason);
  return readingOf(parsed.event, meaningOf);
};

describe('a reading', () => {
  it('has the built-in meaning of its name, or that of the setting, or none', () => {
    const actions = ['paid', 'refunded', 'failed', 'disputed', 'charged_back'];
    const builtIn = actions.map((action) => read({ event_name: `transaction.${action}` }).meaning);
    expect(builtIn).toEqual(['paid', 'refunded', 'failed', 'disputed', 'disputed']);
    expect(read({ event_name: 'invoice.voided' }).meaning).toBe('refunded');
    expect(read({ event_name: 'invoice.sent' }).meaning).toBeNull();
  });

  it('has no order or transaction that no key can hold', () => {
    const transaction = { order_id: { id: 1 }, id: 'x'.repeat(257) };
    const found = read({ event_name: 'transaction.paid', payload: { transaction } });
    expect(found).toMatchObject({ orderId: null, transactionId: null });
  });

  it('is the same reading only when every field is', () => {
    const reading: Reading = {
      ...{ eventName: 'transaction.paid', meaning: 'paid', orderId: 'order-1', transactionId: 'txn-1' },
      ...{ amount: '100.00', currency: 'USD', createdAt: '2026-11-21T10:00:00.123456Z' },
    };
    expect(isSameReading(reading, { ...reading })).toBe(true);
    for (const field of Object.keys(reading))
      expect(isSameReading(reading, { ...reading, [field]: null })).toBe(false);
  });
});

it('an event moves money unless it is history or its name has no meaning', () => {
  expect(meanings.filter((meaning) => movesMoney({ meaning }))).toEqual([
    'paid',
    'refunded',
    'failed',
    'disputed',
  ]);
  expect(movesMoney({ meaning: null })).toBe(false);
});
