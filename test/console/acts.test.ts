import type { OrderChange, OrderSnapshot, Proposal, Transaction } from '@payhooks/order-client';
import { describe, expect, it } from 'vitest';
import { changeLines } from '../../console/page/acts/change-lines.ts';
import type { Subject } from '../../console/page/acts/choices.ts';
import { eraseCommand, judge, proposedTitle, unresolvable } from '../../console/page/acts/operations.ts';

const subject: Subject = {
  ...{ mode: 'live', kind: 'unassigned', waits: true, isSettled: false, eventId: 'evt-1' },
  ...{ event_name: 'transaction.refunded', meaning: 'refunded', amount: '20.00', currency: 'EUR' },
  ...{ bodySha256: 'a'.repeat(64), orderId: null, reason: null, judged: null },
  recordedAt: '2026-11-22T10:00:00.000Z',
};
const transaction = (fields: Partial<Transaction> = {}): Transaction => ({
  ...{ id: 'T', status: 'paid', amount: '9.00', currency: 'USD', returned: null, created_at: null },
  ...fields,
});
const snapshot = (fields: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  ...{ status: 'paid', attention: [], transactions: [transaction()], sequence: 1 },
  ...fields,
});
const change = (before: OrderSnapshot | null, after: OrderSnapshot): OrderChange => ({
  ...{ order_id: 'order-1', before, after },
});

it('the title of a judgement says what happens to the money, in a bounded text that nothing turns around', () => {
  expect(judge('admit', subject).titleOf('order-1001')).toBe('Apply refund of 20.00 EUR to order-1001');
  expect(judge('dismiss', { ...subject, orderId: 'o-1' }).titleOf()).toBe(
    'Dismiss refund of 20.00 EUR for o-1',
  );
  const name = { ...subject, kind: 'event_name' } as const;
  expect(judge('dismiss', name).titleOf()).toBe('Dismiss name transaction.refunded');
  const title = judge('admit', subject).titleOf(`\u202e${'x'.repeat(500)}`);
  expect([title.includes('\u202e'), title.length < 80]).toEqual([false, true]);
});

it('the title of a proposal has the money of the body that it names, and not of another one of its event', () => {
  const event = { event_id: 'r', event_name: 'transaction.refunded', meaning: 'refunded', currency: 'USD' };
  const events = ['57.00', '40.00'].map((amount) => ({ ...event, body_sha256: amount, amount }));
  const request = { event_id: 'r', body_sha256: '40.00', order_id: 'A' };
  const proposal = { act: 'admit', request, events, orders: [], more: false } as unknown as Proposal;
  expect(proposedTitle(proposal)).toBe('Apply refund of 40.00 USD to A');
});

it('the title of a proposal names the order that changes, and none where several do', () => {
  const event = {
    event_id: 'p',
    event_name: 'transaction.paid',
    meaning: 'paid',
    amount: '57.00',
    currency: 'USD',
  };
  const titleOf = (...ids: readonly string[]) => {
    const orders = ids.map((order_id) => ({ order_id }));
    const fields = { act: 'admit', request: { event_id: 'p' }, events: [event], orders, more: false };
    return proposedTitle(fields as unknown as Proposal);
  };
  expect(titleOf('A')).toBe('Apply payment of 57.00 USD to A');
  expect(titleOf('A', 'B')).toBe('Apply payment of 57.00 USD');
});

describe('the lines of a change of an order', () => {
  const linesOf = (before: OrderSnapshot | null, after: OrderSnapshot) =>
    changeLines(change(before, after)).map(({ sign, text }) => `${sign} ${text}`);

  it('are its status, money and attention before and after, without what stays', () => {
    const other = transaction({ id: 'U', amount: '45.00' });
    const before = snapshot({
      attention: ['disputed', 'currency_mixed'],
      transactions: [other, transaction()],
    });
    const after = snapshot({
      ...{ status: 'refunded', attention: ['currency_mixed', 'conflicting_event'] },
      transactions: [other, transaction({ status: 'refunded', returned: '9.00' })],
    });
    expect(linesOf(before, after).toSorted()).toEqual([
      ...['+ T: payment of 9.00 USD, 9.00 returned', '+ attention: Conflicting event', '+ status: Refunded'],
      ...['- T: payment of 9.00 USD', '- attention: Disputed', '- status: Paid'],
    ]);
    expect(linesOf(null, snapshot())).toEqual(['+ status: Paid', '+ T: payment of 9.00 USD']);
  });
});

it('an attention that no act ends has the reason instead of a button', () => {
  expect(unresolvable('disputed')).toBeUndefined();
  expect(unresolvable('too_many_events')).toMatch(
    /^The order holds as many events as fit; .* No act ends that/,
  );
});

it.each([
  ['order', "it's $(id)", 'live', String.raw`payhooks erase --order 'it'\''s $(id)'`],
  ['event', '--yes', 'live', 'payhooks erase --event=--yes'],
  ['event', 'evt-1', 'sandbox', 'payhooks erase --event evt-1 --sandbox'],
] as const)(
  'the command that erases the %s %s is one that a shell reads as such',
  (name, id, mode, command) => {
    expect(eraseCommand(name, id, mode)).toBe(command);
  },
);
