import { describe, expect, it } from 'vitest';
import { type Change, sentencesAfter, set } from '../../../test/doubles/changed-history.ts';
import { factOf } from '../../../test/doubles/sample-history.ts';

const order = ({ tables }: Parameters<Change>[0]) => tables.orders[2] ?? {};
/** The row of the sandbox order has no room for its payment. */
const fill: Change = (history) => Object.assign(order(history), { facts: { SS: ['["full"]'] } });
const refuse: Change = (history) => {
  const row = { outcome: 'quarantined', reason: 'order_refused', waiting: 'sandbox:order_refused' };
  for (const [name, text] of Object.entries(row)) set(name, { S: text }, 'sandbox:event:evt-1')(history);
};

describe('the checker', () => {
  it('expects an event that a full order lacks to wait for a person', () => {
    expect(sentencesAfter(fill).join('\n')).toMatch(
      /outcomes: The sandbox event row of "evt-1" .* shows "applied"; expected "quarantined, waits as order_refused"/,
    );
    const sentences = sentencesAfter(fill, refuse).join('\n');
    expect(sentences).not.toContain('outcomes: ');
    expect(sentences).toContain('waits as "order_refused", and the list of what waits does not show it');
    expect(sentences).toContain('1 rows wait as "order_refused", and the metric OrdersFull ended with 0');
  });

  it('expects a full order to show what is in its row, and that events are missing', () => {
    expect(sentencesAfter(fill).join('\n')).toMatch(
      /orders: The sandbox order "order-1" shows .*; its events give it \["\[\\"pending\\",\[\\"too_many_events\\"\]/,
    );
  });

  it('expects no event to wait for an order that has room', () => {
    expect(sentencesAfter(refuse).join('\n')).toContain(
      'shows "quarantined, waits as order_refused"; expected "applied"',
    );
  });

  const claims = (orderBytesMax: number, ...changes: readonly Change[]): readonly string[] =>
    sentencesAfter(fill, ...changes, (history) => Object.assign(history, { orderBytesMax })).filter(
      (sentence) => sentence.includes('says that it is full'),
    );
  const payment = factOf('tried');
  // Names and values of its attributes, with 12 bytes of headroom.
  const bytes =
    'order_keysandbox:order:order-1sequence'.length + 16 + 'headroom'.length + 12 + 'facts'.length;
  const row = bytes + '["full"]'.length;

  it('expects a full order to have no room for what it refused, at any time', () => {
    expect(claims(row + payment.length - 1)).toEqual([]);
    expect(claims(row + payment.length)).toEqual([
      'orders: The sandbox order "order-1" says that it is full, and has room for ' +
        `${payment.length} bytes: it refused ${payment}, which would fit.`,
    ]);
    const larger: Change = (history) => {
      const after = { ...order(history), facts: { SS: ['["full"]', 'x'] } };
      history.streamRecords.push({ at: 0, sequenceNumber: '1', before: undefined, after });
    };
    expect(claims(row + payment.length, larger)).toEqual([]);
  });

  it('expects a full order that lacks nothing to have been too small for all that it was meant to hold', () => {
    const whole: Change = (history) =>
      Object.assign(order(history), { facts: { SS: [payment, '["full"]'] } });
    expect(claims(row + 2 * payment.length - 1, whole)).toEqual([]);
    expect(claims(row + 2 * payment.length, whole).join()).toContain('it lacks nothing');
  });
});
