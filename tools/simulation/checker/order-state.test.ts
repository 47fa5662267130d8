import { describe, expect, it } from 'vitest';
import { type Meaning, meaningOfName } from './meanings.ts';
import { orderState } from './order-state.ts';
import type { SignedEvent } from './signed-body.ts';

/**
 * `a paid T 100 USD @1`: event a, `transaction.paid`, transaction T, 100 USD, created in second 1. `-` stands
 * for a part that is missing; USD and no time are usual.
 */
function event(text: string): SignedEvent {
  const [id = '', action = '', transactionId, amount, currency = 'USD', at] = text.split(' ');
  const part = (given: string | undefined): string | null => (given === '-' ? null : (given ?? null));
  const name = `transaction.${action}`;
  const meaning: Meaning | undefined = meaningOfName(name, {});
  const created = { createdAt: at?.replace('@', '2026-11-21T10:00:0') ?? null };
  const money = { amount: part(amount), currency: part(currency), ...created };
  return { id, name, meaning, orderId: 'order-1', transactionId: part(transactionId), ...money };
}

/** The events, separated by `;`, and what becomes of them, as `status attention…; transaction…`. */
function stateOf(events: string): string {
  const { status, attention, transactions } = orderState({
    events: events === '' ? [] : events.split('; ').map(event),
    marks: [],
  });
  const shown = transactions.map(({ id, status, amount, currency }) =>
    [id ?? '-', status, amount ?? '-', currency ?? '-'].join(' '),
  );
  return [[status, ...attention].join(' '), ...shown].join('; ');
}

/** `events → state`, by what they are about. */
const cases = `
# an order without money
 → pending
a updated T 100 → pending; T pending 100 USD
a updated - - → pending; - pending - USD
a charged_back T 100 → pending disputed; T pending 100 USD
a failed T 100 → failed; T failed 100 USD
a failed T 100; b failed U 20 → failed; T failed 100 USD; U failed 20 USD
a failed T 100; b updated T 7 → failed; T failed 100 USD
a updated T 7; b updated U 8 → pending; T pending 7 USD; U pending 8 USD
a failed T - EUR; b failed T 5 USD → failed currency_mixed; T failed 5 EUR
# one payment
a paid T 100 → paid; T paid 100 USD
a paid T 100.00 → paid; T paid 100.00 USD
a paid T 100 - → paid; T paid 100 -
a paid T 100; b paid T 100 → paid; T paid 100 USD
a paid T 100; b paid T 100.00 → paid; T paid 100 USD
a paid T 100.00; b paid T 100 → paid; T paid 100.00 USD
a paid T 100; b paid T 60 → paid payment_amount_ambiguous; T paid 100 USD
a paid T 9; b paid T 10 → paid payment_amount_ambiguous; T paid 10 USD
a failed T 100; b paid T 100 → paid failure_and_payment; T paid 100 USD
a paid T 100; b failed T 100 → paid failure_and_payment; T paid 100 USD
a paid T 100; b updated T 500 → paid; T paid 100 USD
a paid T 100; b disputed T 100 → paid disputed; T paid 100 USD
a paid T 100; b charged_back U 100 → paid disputed; T paid 100 USD; U pending 100 USD
a paid T 100 -; b failed T 100 EUR → paid failure_and_payment; T paid 100 EUR
a paid T 100 USD; b paid T 100 EUR → paid currency_mixed; T paid 100 USD
a paid T 100 USD; b paid T 100 usd → paid; T paid 100 USD
a paid T 100 USD; b disputed T 100 EUR → paid disputed; T paid 100 USD
# an amount that cannot be read
a paid T - → paid payment_amount_unreadable; T paid - USD
a paid T 0 → paid payment_amount_unreadable; T paid 0 USD
a paid T -5 → paid payment_amount_unreadable; T paid -5 USD
a paid T 1e2 → paid payment_amount_unreadable; T paid 1e2 USD
a paid T 1,000.00 → paid payment_amount_unreadable; T paid 1,000.00 USD
a paid T .5 → paid payment_amount_unreadable; T paid .5 USD
a paid T 5. → paid payment_amount_unreadable; T paid 5. USD
a paid T ٣ → paid payment_amount_unreadable; T paid ٣ USD
a paid T 0100 → paid; T paid 0100 USD
a paid T ${'9'.repeat(30)} → paid; T paid ${'9'.repeat(30)} USD
a paid T ${'9'.repeat(31)} → paid payment_amount_unreadable; T paid ${'9'.repeat(31)} USD
a paid T 1.${'0'.repeat(29)}1 → paid; T paid 1.${'0'.repeat(29)}1 USD
a paid T 1.${'0'.repeat(30)}1 → paid payment_amount_unreadable; T paid 1.${'0'.repeat(30)}1 USD
a paid T x; b paid T 100 → paid payment_amount_ambiguous payment_amount_unreadable; T paid 100 USD
a paid T x; b refunded T 5 → partially_refunded payment_amount_unreadable refund_amount_ambiguous; T partially_refunded x USD
# a refund
a paid T 100; b refunded T 100 → refunded; T refunded 100 USD
a paid T 100.00; b refunded T 100 → refunded; T refunded 100.00 USD
a paid T 0.3; b refunded T 0.1; c refunded T 0.1 → partially_refunded; T partially_refunded 0.3 USD
a paid T 100; b refunded T 40 → partially_refunded; T partially_refunded 100 USD
a paid T 100; b refunded T 40; c refunded T 50 → partially_refunded; T partially_refunded 100 USD
a paid T 100; b refunded T 100 usd → refunded; T refunded 100 USD
a paid T 100; b refunded T 100 - → refunded; T refunded 100 USD
a paid T 100 -; b refunded T 100 EUR → refunded; T refunded 100 EUR
a paid T 100; b refunded T 100; c disputed T 100 → refunded disputed; T refunded 100 USD
a failed T 100; b refunded T 100 → refunded refund_without_payment; T refunded 100 USD
a refunded T 100 → refunded refund_without_payment; T refunded - USD
a refunded T 100; b updated T 100 → refunded refund_without_payment; T refunded - USD
# a refund of which the amounts do not show how much was returned
a paid T 100; b refunded T 40; c refunded T 60 → partially_refunded refund_amount_ambiguous; T partially_refunded 100 USD
a paid T 100; b refunded T 30; c refunded T 100 → refunded refund_amount_ambiguous; T refunded 100 USD
a paid T 100; b refunded T 80; c refunded T 80 → partially_refunded refund_amount_ambiguous; T partially_refunded 100 USD
a paid T 0.3; b refunded T 0.1; c refunded T 0.2 → partially_refunded refund_amount_ambiguous; T partially_refunded 0.3 USD
a paid T 100; b refunded T - → partially_refunded refund_amount_ambiguous; T partially_refunded 100 USD
a paid T 100; b refunded T 40; c refunded T - → partially_refunded refund_amount_ambiguous; T partially_refunded 100 USD
a paid T 100; b refunded T 100; c refunded T - → refunded refund_amount_ambiguous; T refunded 100 USD
a paid T 100; b refunded T 100 EUR → partially_refunded currency_mixed refund_amount_ambiguous; T partially_refunded 100 USD
a paid T 100; b refunded T 40 EUR; c refunded T 100 → refunded currency_mixed refund_amount_ambiguous; T refunded 100 USD
a paid T 100; b paid T 60; c refunded T 60 → partially_refunded payment_amount_ambiguous; T partially_refunded 100 USD
# a refund of more than was paid
a paid T 100; b refunded T 500 → refunded refund_exceeds_payment; T refunded 100 USD
a paid T 100; b refunded T 100.${'0'.repeat(29)}1 → refunded refund_exceeds_payment; T refunded 100 USD
a paid T 100; b refunded T 100; c refunded T 100 → refunded refund_exceeds_payment; T refunded 100 USD
a paid T 100; b refunded T 100; c refunded T 500 → refunded refund_exceeds_payment; T refunded 100 USD
a paid T 100; b refunded T 500; c refunded T - → refunded refund_amount_ambiguous refund_exceeds_payment; T refunded 100 USD
a paid T 100; b refunded T 100; c refunded T 100.00 - → refunded refund_exceeds_payment; T refunded 100 USD
# several transactions
a paid T 100; b paid U 100 → paid multiple_paid_transactions; T paid 100 USD; U paid 100 USD
a paid - 100; b paid - 100 → paid multiple_paid_transactions; - paid 100 USD; - paid 100 USD
a failed T 100; b paid U 100 → paid; T failed 100 USD; U paid 100 USD
a paid T 100; b refunded T 100; c paid U 100 → paid; T refunded 100 USD; U paid 100 USD
a paid T 100; b refunded T 100; c failed U 100 → refunded; T refunded 100 USD; U failed 100 USD
a paid T 100; b refunded T 40; c paid U 100 → partially_refunded multiple_paid_transactions; T partially_refunded 100 USD; U paid 100 USD
a paid T 100; b refunded U 100 → partially_refunded refund_without_payment; T paid 100 USD; U refunded - USD
a paid T 100; b refunded - 100 → partially_refunded refund_without_payment; T paid 100 USD; - refunded - USD
a failed T 100; b refunded U 100 → refunded refund_without_payment; T failed 100 USD; U refunded - USD
a paid T 100; b paid U 100 EUR → paid currency_mixed multiple_paid_transactions; T paid 100 USD; U paid 100 EUR
a paid T 100; b failed U 100 EUR → paid currency_mixed; T paid 100 USD; U failed 100 EUR
a paid T 1 USD @2; b failed S 2 USD @1 → paid; S failed 2 USD; T paid 1 USD
a paid T 1 USD @2; b failed S 2 → paid; T paid 1 USD; S failed 2 USD
a paid T 1 USD @1; b failed S 2 USD @1 → paid; S failed 2 USD; T paid 1 USD
# two events under one id
a paid T 100; a paid T 100 → paid; T paid 100 USD
a paid T 100; a paid T 60 → paid conflicting_event; T paid 100 USD
a paid T 100; a failed T 100 → paid conflicting_event; T paid 100 USD
a failed T 500; a paid T x → paid conflicting_event payment_amount_unreadable; T paid x USD
a paid T x; a paid T 1 → paid conflicting_event; T paid 1 USD
a paid T 100; a refunded T 1 → refunded conflicting_event refund_without_payment; T refunded - USD
a failed T 1; a disputed T 1 → failed conflicting_event; T failed 1 USD
a disputed T 1; a updated T 9 → pending conflicting_event disputed; T pending 1 USD
a paid T 100; a paid U 100 → paid conflicting_event; T paid 100 USD
a paid U 100; a paid T 100.0 → paid conflicting_event; T paid 100.0 USD
a paid T 100 EUR; a paid T 100 USD → paid conflicting_event; T paid 100 EUR
`;

describe('the independent fold', () => {
  const groups = cases.trim().split('# ').slice(1);
  it.each(groups.map((group) => group.trim().split('\n')))(
    'gives %s the state that the documents describe',
    (_, ...lines) => {
      const events = lines.map((line) => line.split(' → ')[0] ?? '');
      expect(events.map((text) => `${text} → ${stateOf(text)}`)).toEqual(lines);
    },
  );

  it('gives an order of which only marks are known no money', () => {
    const marks = [{ attention: 'conflicting_event', text: '' }] as const;
    expect(orderState({ events: [], marks })).toEqual({
      status: 'pending',
      attention: ['conflicting_event'],
      transactions: [],
      events: [],
    });
  });

  it('takes the creation time of a transaction from its payment', () => {
    const events = ['a failed T 1 USD @1', 'b paid T 1 USD @3', 'c refunded T 1 USD @5'].map(event);
    expect(orderState({ events, marks: [] }).transactions.map((one) => one.created_at)).toEqual([
      '2026-11-21T10:00:03',
    ]);
  });
});
