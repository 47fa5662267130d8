import { describe, expect, it } from 'vitest';
import { conflictFact, fullFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { type FactFields, fact, paid } from '../../doubles/facts.ts';

const refunded = (eventId: string, fields?: FactFields) => fact(eventId, 'refunded', fields);
const failed = (eventId: string, fields?: FactFields) => fact(eventId, 'failed', fields);
const history = fact('z', 'updated');
const disputed = fact('z', 'disputed');
const tx2 = { transactionId: 'U' };
const noTx = { transactionId: null };
const sum = (amount: string | null): FactFields => ({ amount });
const euros = { currency: 'EUR' };
const strasse = [paid('a', { currency: '\u00df' }), refunded('b', { currency: 'ss' })];

describe('foldOrder', () => {
  it('keeps the attention of one transaction when another has none', () => {
    const ambiguous = [paid('a'), paid('b', sum('90'))];
    for (const clean of [paid('c', { transactionId: 'A' }), paid('c', { transactionId: 'Z' })])
      expect(foldOrder([...ambiguous, clean]).attention).toContain('payment_amount_ambiguous');
  });

  it.each([
    ['partially_refunded', 'many', '100.00'],
    ['partially_refunded', null, '0.01'],
    ['partially_refunded', '1e2', null],
  ])('returns %s for a payment of %j, which cannot be read, and a refund of %j', (status, of, back) => {
    expect(foldOrder([paid('a', sum(of)), refunded('b', sum(back))]).status).toBe(status);
  });

  it.each([
    ['pending', 'no facts', []],
    ['pending', 'only an event without effect', [history]],
    ['failed', 'a failure', [failed('a')]],
    ['failed', 'a failure and an event without effect', [failed('a'), history]],
    ['paid', 'a payment', [paid('a')]],
    ['paid', 'two events of one payment', [paid('a'), paid('b')]],
    ['paid', 'two events of one payment with 100.00 and 100', [paid('a'), paid('b', sum('100'))]],
    ['paid', 'a failed and a paid transaction', [failed('a', tx2), paid('b')]],
    ['refunded', 'a payment and its refund', [paid('a'), refunded('b')]],
    ['refunded', 'a refund of 100 for a payment of 100.00', [paid('a'), refunded('b', sum('100'))]],
    ['refunded', 'a refund in a lower-case currency', [paid('a'), refunded('b', { currency: 'usd' })]],
    ['refunded', 'a refund in a currency that is equal in upper case alone', strasse],
    ['refunded', 'a refund without a currency', [paid('a'), refunded('b', { currency: null })]],
    ['refunded', 'two refunded payments', [paid('a'), paid('b', tx2), refunded('c'), refunded('d', tx2)]],
    ['paid', 'two payments, one refunded in full', [paid('a'), paid('b', tx2), refunded('c', tx2)]],
    [
      'partially_refunded',
      'two payments, one refunded in full and one in part',
      [paid('a'), paid('b', tx2), refunded('c', tx2), refunded('d', sum('40'))],
    ],
    ['partially_refunded', 'a partial refund', [paid('a'), refunded('b', sum('99.99'))]],
    [
      'partially_refunded',
      'partial refunds below the payment',
      [paid('a'), refunded('b', sum('40')), refunded('c', sum('50'))],
    ],
  ])('returns %s without attention for %s', (status, _, facts) => {
    expect(foldOrder(facts)).toMatchObject({ status, attention: [] });
  });

  it.each([
    ['paid', 'two paid transactions', [paid('a'), paid('b', tx2)]],
    ['paid', 'two payments without transaction id', [paid('a', noTx), paid('b', noTx)]],
  ])('returns %s with multiple_paid_transactions for %s', (status, _, facts) => {
    expect(foldOrder(facts)).toMatchObject({ status, attention: ['multiple_paid_transactions'] });
  });

  it.each([
    ['refunded', 'a refund alone', [refunded('a')]],
    ['partially_refunded', 'a refund of another transaction', [paid('a'), refunded('b', tx2)]],
  ])('returns %s with refund_without_payment for %s', (status, _, facts) => {
    expect(foldOrder(facts)).toMatchObject({ status, attention: ['refund_without_payment'] });
  });

  it.each([
    ['partial refunds that add up to the payment', refunded('b', sum('60')), refunded('c', sum('40'))],
    ['partial refunds, one without an amount', refunded('b', sum('40')), refunded('c', sum(null))],
    ['a refund without an amount', refunded('b', sum(null))],
    ['a refund of 0', refunded('b', sum('0'))],
    ['a negative refund', refunded('b', sum('-100.00'))],
    ['a refund with an exponent', refunded('b', sum('1e2'))],
  ])('returns partially_refunded with refund_amount_ambiguous for %s', (_, ...refunds) => {
    const state = { status: 'partially_refunded', attention: ['refund_amount_ambiguous'] };
    expect(foldOrder([paid('a'), ...refunds])).toMatchObject(state);
  });

  const pennyMore = '100.000000000000000001';
  it.each([
    ['one refund, larger than the payment', refunded('b', sum('100.01'))],
    ['a refund larger by less than a float can express', refunded('b', sum(pennyMore))],
    ['two refunds that equal the payment', refunded('b', sum('100')), refunded('c')],
    ['refunds of 100 and 500', refunded('b'), refunded('c', sum('500'))],
    ['refunds of 30 and 500', refunded('b', sum('30')), refunded('c', sum('500'))],
    ['refunds of 30, 100 and 100', refunded('b', sum('30')), refunded('c'), refunded('d')],
  ])('returns refunded with refund_exceeds_payment for a payment of 100.00 and %s', (_, ...refunds) => {
    const state = { status: 'refunded', attention: ['refund_exceeds_payment'] };
    expect(foldOrder([paid('a'), ...refunds])).toMatchObject(state);
  });

  it.each([
    ['a partial refund', refunded('c', sum('30'))],
    ['a refund without an amount', refunded('c', sum(null))],
    ['a refund in another currency', refunded('c', { amount: '5', currency: 'EUR' })],
  ])('returns refunded with refund_amount_ambiguous for a full refund and %s', (_, other) => {
    const { status, attention } = foldOrder([paid('a'), refunded('b'), other]);
    expect([status, attention[0]]).toEqual(['refunded', 'refund_amount_ambiguous']);
  });

  it.each(['-5', '0.00', '1e2', '', null])(
    'returns paid with payment_amount_unreadable for the amount %j',
    (amount) => {
      const state = { status: 'paid', attention: ['payment_amount_unreadable'] };
      expect(foldOrder([paid('a', sum(amount))])).toMatchObject(state);
    },
  );

  it.each([
    [
      'refund_amount_ambiguous,payment_amount_unreadable',
      'a payment without an amount',
      [paid('a', sum(null)), refunded('b')],
    ],
    ['payment_amount_ambiguous', 'two amounts of one payment', [paid('a'), paid('b', sum('90.00'))]],
    [
      'multiple_paid_transactions,currency_mixed',
      'payments in two currencies',
      [paid('a'), paid('b', { ...tx2, ...euros })],
    ],
    ['refund_amount_ambiguous,currency_mixed', 'a refund in euros', [paid('a'), refunded('b', euros)]],
    ['conflicting_event', 'a conflicting body', [paid('a'), conflictFact('a', 'ab12')]],
    ['conflicting_event', 'two facts with one event id', [paid('a'), paid('a', sum('1'))]],
    ['transaction_in_two_orders', 'a transaction of another order', [paid('a'), sharedFact('T')]],
    ['failure_and_payment', 'a failure and a payment of one transaction', [failed('a'), paid('b')]],
    [
      'failure_and_payment,disputed',
      'a payment that was disputed and failed',
      [paid('a'), disputed, failed('b')],
    ],
    ['unreadable_fact', 'a fact of a newer version', [paid('a'), '["settled","b"]']],
    ['disputed', 'a dispute', [paid('a'), disputed]],
    ['disputed', 'a chargeback', [paid('a'), fact('z', 'charged_back')]],
    ['too_many_events', 'a full order', [paid('a'), fullFact]],
  ])('returns %s for %s', (attention, _, facts) => {
    const status = attention.startsWith('refund') ? 'partially_refunded' : 'paid';
    expect(foldOrder(facts)).toMatchObject({ status, attention: attention.split(',') });
  });

  it.each([
    ['a payment over a failure', [failed('a'), paid('a')], 'paid', 'transaction.paid'],
    ['a refund over a payment', [refunded('a'), paid('a')], 'refunded', 'transaction.refunded'],
    ['a failure over a dispute', [failed('a'), fact('a', 'disputed')], 'failed', 'transaction.failed'],
    ['a dispute over history', [fact('z', 'captured'), disputed], 'pending', 'transaction.disputed'],
  ])('counts %s when both have one event id', (_, facts, status, name) => {
    const state = { status, events: [{ event_name: name }] };
    expect(foldOrder(facts)).toMatchObject(state);
    expect(foldOrder(facts).attention).toContain('conflicting_event');
  });

  it.each([
    ['the larger of two amounts', '100.00', '9'],
    ['a readable amount over one that is not', '9', '1e2'],
    ['the first text of two equal amounts', '100.0', '100.00'],
    ['the first text of two unreadable amounts', '-1', 'many'],
  ])('counts %s under one event id', (_, counted, other) => {
    const facts = [paid('a', sum(counted)), paid('a', sum(other))];
    expect(foldOrder(facts).transactions).toMatchObject([{ amount: counted }]);
    expect(foldOrder(facts.toReversed())).toEqual(foldOrder(facts));
  });

  it('ignores amount, currency and time of an event without effect when another event decides', () => {
    const other = { amount: '7', currency: 'EUR', createdAt: '2026-11-21T10:00:00.000000Z' };
    const payment = paid('a', { amount: null, currency: null });
    const { events, ...state } = foldOrder([
      payment,
      fact('z', 'updated', other),
      fact('y', 'disputed', other),
    ]);
    expect(events).toHaveLength(3);
    expect(state).toEqual({
      status: 'paid',
      attention: ['payment_amount_unreadable', 'disputed'],
      transactions: [{ id: 'T', status: 'paid', amount: null, currency: null, created_at: null }],
    });
  });

  it('lists events by id, also where the texts of their facts sort otherwise', () => {
    const events = [history, paid('a!'), failed('b'), fact('a', 'updated')];
    expect(foldOrder(events).events.map(({ id }) => id)).toEqual(['a', 'a!', 'b', 'z']);
  });

  it('lists attentions in one order, whatever raised them', () => {
    const facts = [
      disputed,
      fullFact,
      sharedFact('T'),
      refunded('a', { transactionId: 'V' }),
      refunded('b', sum('500')),
      paid('c', { ...tx2, amount: '0' }),
      paid('d', { ...tx2, ...euros }),
      paid('e'),
      paid('f', { transactionId: 'W' }),
      failed('h', { transactionId: 'W' }),
      '["settled"]',
      refunded('g', { ...tx2, amount: null }),
      conflictFact('a', 'ab12'),
    ];
    expect(foldOrder(facts).attention).toEqual([
      'multiple_paid_transactions',
      'refund_without_payment',
      'refund_exceeds_payment',
      'refund_amount_ambiguous',
      'payment_amount_ambiguous',
      'payment_amount_unreadable',
      'currency_mixed',
      'conflicting_event',
      'transaction_in_two_orders',
      'failure_and_payment',
      'disputed',
      'too_many_events',
      'unreadable_fact',
    ]);
  });

  it('compares a refund with the larger of two payment amounts', () => {
    const order = foldOrder([paid('a', sum('90')), paid('b'), refunded('c', sum('90'))]);
    expect(order.status).toBe('partially_refunded');
    expect(order.transactions[0]?.amount).toBe('100.00');
  });

  it('shows the amount and time of the payment, and every event with what it says', () => {
    const createdAt = '2026-11-21T10:00:00.000000Z';
    const facts = [
      refunded('b', { amount: '1', createdAt }),
      paid('a', { createdAt }),
      failed('c', sum('7')),
    ];
    const transaction = { id: 'T', amount: '100.00', currency: 'USD', created_at: createdAt };
    const named = { transaction_id: 'T', currency: 'USD' };
    expect(foldOrder(facts)).toEqual({
      status: 'partially_refunded',
      attention: ['failure_and_payment'],
      transactions: [{ ...transaction, status: 'partially_refunded' }],
      events: [
        { id: 'a', event_name: 'transaction.paid', amount: '100.00', ...named },
        { id: 'b', event_name: 'transaction.refunded', amount: '1', ...named },
        { id: 'c', event_name: 'transaction.failed', amount: '7', ...named },
      ],
    });
  });

  it('does not show the amount of a refund as the amount of the transaction', () => {
    expect(foldOrder([refunded('a', sum('40'))]).transactions).toEqual([
      { id: 'T', status: 'refunded', amount: null, currency: 'USD', created_at: null },
    ]);
  });

  it.each([
    ['failed', 'a failure', failed('a', { amount: '7', currency: 'EUR' })],
    ['pending', 'only a dispute', fact('a', 'disputed', { amount: '7', currency: 'EUR' })],
    ['pending', 'only an event without a meaning', fact('a', 'updated', { amount: '7', currency: 'EUR' })],
  ])('lists a %s transaction with the amount and the currency of %s', (status, _, one) => {
    expect(foldOrder([one]).transactions).toEqual([
      { id: 'T', status, amount: '7', currency: 'EUR', created_at: null },
    ]);
  });

  it('takes from the second payment event what the first does not say', () => {
    const createdAt = '2026-11-21T10:00:00.000000Z';
    const facts = [paid('a', { currency: null }), paid('b', { currency: 'EUR', createdAt })];
    expect(foldOrder(facts).transactions).toEqual([
      { id: 'T', status: 'paid', amount: '100.00', currency: 'EUR', created_at: createdAt },
    ]);
  });

  it('lists any two transactions by creation time, then id, whatever the ids of their events', () => {
    const early = '2026-11-21T10:00:00.000000Z';
    const inOrder: FactFields[] = [
      // A text that is a number is no less a text: nothing is greater than null.
      { transactionId: 'e', createdAt: '1795255200' },
      { transactionId: '7', createdAt: early },
      { transactionId: 'b', createdAt: early },
      { transactionId: 'c', createdAt: early },
      { transactionId: null, createdAt: early },
      { transactionId: 'a', createdAt: '2026-11-21T10:00:01.000000Z' },
      { transactionId: 'd', createdAt: null },
    ];
    for (const [n, first] of inOrder.entries()) {
      for (const second of inOrder.slice(n + 1)) {
        const ids = [first.transactionId, second.transactionId];
        expect(foldOrder([paid('1', first), paid('2', second)]).transactions.map(({ id }) => id)).toEqual(
          ids,
        );
        expect(foldOrder([paid('2', first), paid('1', second)]).transactions.map(({ id }) => id)).toEqual(
          ids,
        );
      }
    }
  });
});
