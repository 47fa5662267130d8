import { describe, expect, it } from 'vitest';
import { type Change, sentencesAfter, set } from '../../../test/doubles/changed-history.ts';
import { withinRow } from './full-orders.ts';

const paid = '["event.1","evt-1","transaction.paid","T-1","100.00","USD",null]';
const refused = { ...{ outcome: 'quarantined', reason: 'order_refused', waiting: 'live:order_refused' } };

/** The row of the order has no room for its refund. */
const fill: Change = ({ tables }) => {
  const facts = tables.orders[0]?.['facts'];
  if (facts) facts['SS'] = [paid, '["full.1"]'];
};
const refuse: Change = (history) => {
  for (const [name, text] of Object.entries(refused)) set(name, { S: text }, 'live:event:evt-2')(history);
};

describe('the checker', () => {
  it('expects an event that a full order lacks to wait for a person', () => {
    expect(sentencesAfter(fill).join('\n')).toMatch(
      /outcomes: The live event row of "evt-2" .* shows "applied order-1"; expected "quarantined, because an order/,
    );
    const sentences = sentencesAfter((history) => {
      fill(history);
      refuse(history);
    }).join('\n');
    expect(sentences).not.toContain('outcomes: ');
    expect(sentences).toContain('waits as "order_refused", and the list of what waits does not show it');
    expect(sentences).toContain('1 rows wait as "order_refused", and the metric OrdersFull ended with 0');
  });

  it('expects a full order to show what is in its row, and that events are missing', () => {
    expect(sentencesAfter(fill).join('\n')).toMatch(
      /orders: The live order "order-1" shows .*; its events give it \["\[\\"paid\\",\[\\"too_many_events\\"\]/,
    );
  });

  it('expects no event to wait for an order that has room', () => {
    expect(sentencesAfter(refuse).join('\n')).toContain(
      'shows "quarantined order-1"; expected "applied order-1"',
    );
  });
});

describe('an order that says it is full', () => {
  const claims = (...changes: readonly Change[]): readonly string[] =>
    sentencesAfter(fill, ...changes).filter((sentence) => sentence.includes('says that it is full'));
  const limit =
    (bytes: number): Change =>
    (history) => {
      history.orderBytesMax = bytes;
    };
  // Names and values of its attributes, with 12 bytes of reserve in either form; and the refund.
  const [row, refund] = [162, 67];

  it('had no room for what it refused', () => {
    expect(claims(limit(row + refund - 1))).toEqual([]);
    expect(claims(limit(row + refund))).toEqual([
      'orders: The live order "order-1" says that it is full, and has room for 67 bytes: ' +
        'it refused "evt-2", which would fit.',
    ]);
  });

  const whole: Change = ({ tables }) => {
    const facts = tables.orders[0]?.['facts'];
    const refunded = '["event.1","evt-2","transaction.refunded","T-1","40.00","USD",null]';
    if (facts) facts['SS'] = [paid, refunded, '["full.1"]'];
  };

  it('lacks something, or has no room for the largest fact of the run', () => {
    // The mark of a conflict: a tag, an event id and a SHA-256.
    const largest = '["conflict.1","evt-1",""]'.length + 64;
    expect(claims(whole, limit(row + refund + largest - 1))).toEqual([]);
    expect(claims(whole, limit(row + refund + largest))).toEqual([
      'orders: The live order "order-1" says that it is full, and has room for 89 bytes; it lacks nothing.',
    ]);
  });

  it('had no room for a mark that it lacks', () => {
    const judged = { M: { verdict: { S: 'admitted' }, order_id: { S: 'order-2' } } };
    const assigned = set('judged', judged, 'live:event:evt-2');
    const mark = '["shared.1","T-1"]'.length;
    expect(claims(whole, assigned, limit(row + refund + mark - 1))).toEqual([]);
    expect(claims(whole, assigned, limit(row + refund + mark))).toEqual([
      'orders: The live order "order-1" says that it is full, and has room for 18 bytes: ' +
        'it refused transaction_in_two_orders of "T-1", which would fit.',
    ]);
  });
});

describe('what a full order knows', () => {
  const event = {
    ...{ id: 'evt-1', name: 'transaction.paid', orderId: 'o' },
    meaning: 'paid',
    ...{ transactionId: 'T-1', amount: '100.00', currency: 'USD', createdAt: null },
  } as const;
  const known = {
    events: [event, { ...event, id: 'evt-2' }],
    marks: [
      { attention: 'conflicting_event', about: 'evt-1' },
      { attention: 'transaction_in_two_orders', about: 'T-1' },
    ],
  };
  const rowOf = (...facts: string[]) => ({ facts: { SS: facts } });

  it('is what its row holds: events and marks', () => {
    expect(withinRow(known, rowOf(paid, '["shared.1","T-1"]', '["full.1"]'))).toEqual({
      events: [event],
      marks: [
        { attention: 'transaction_in_two_orders', about: 'T-1' },
        { attention: 'too_many_events', about: '' },
      ],
    });
    expect(withinRow(known, rowOf('["conflict.1","evt-1","ab"]', '["full.1"]'))).toEqual({
      events: [],
      marks: [
        { attention: 'conflicting_event', about: 'evt-1' },
        { attention: 'too_many_events', about: '' },
      ],
    });
  });

  it('is everything as long as the order is not full', () => {
    expect(withinRow(known, rowOf(paid))).toBe(known);
    expect(withinRow(known, undefined)).toBe(known);
  });
});
