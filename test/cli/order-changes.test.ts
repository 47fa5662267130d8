import { describe, expect, it } from 'vitest';
import { type OrderSnapshot, printOrderChanges } from '../../cli/order-changes.ts';
import { recordTerminal } from '../doubles/terminal.ts';

const snapshot = (fields: Partial<OrderSnapshot>): OrderSnapshot => ({
  status: 'paid',
  attention: [],
  transactions: [{ id: 'T', status: 'paid', amount: '100.00', currency: 'USD' }],
  sequence: 1,
  ...fields,
});

/** The lines for one order, `order-1`. */
function printed(before: OrderSnapshot | null, after: OrderSnapshot): string[] {
  const { terminal, lines } = recordTerminal();
  printOrderChanges(terminal, [{ order_id: 'order-1', before, after }]);
  return lines;
}

describe('printOrderChanges', () => {
  it('prints the status, the money of the changed transaction and the new attention', () => {
    const refunded = { id: 'T', status: 'refunded', amount: '100.00', currency: 'USD' };
    const attention = ['refund_exceeds_payment'];
    const after = snapshot({ status: 'refunded', attention, transactions: [refunded], sequence: 2 });
    expect(printed(snapshot({}), after)).toEqual([
      'order-1  paid -> refunded',
      '  - transaction T  paid  100.00 USD',
      '  + transaction T  refunded  100.00 USD',
      '  + attention  refund_exceeds_payment',
    ]);
  });

  it('marks an order that no event had named as new', () => {
    expect(printed(null, snapshot({}))).toEqual([
      'order-1  new -> paid',
      '  + transaction T  paid  100.00 USD',
    ]);
  });

  it('leaves out what stays, and says that the status stays', () => {
    const other = { id: 'U', status: 'paid', amount: null, currency: null };
    const before = snapshot({ attention: ['disputed', 'conflicting_event'] });
    const after = snapshot({
      attention: ['disputed'],
      transactions: [...before.transactions, other],
      sequence: 3,
    });
    expect(printed(before, after)).toEqual([
      'order-1  stays paid',
      '  + transaction U  paid  unknown amount',
      '  - attention  conflicting_event',
    ]);
  });

  it('shows each of several transactions without an id', () => {
    const charge = { id: null, status: 'paid', amount: '5.00', currency: 'EUR' };
    const [one, two] = [[charge], [charge, charge]];
    expect(printed(snapshot({ transactions: one }), snapshot({ transactions: two }))).toEqual([
      'order-1  stays paid',
      '  - transaction without id  paid  5.00 EUR',
      '  + transaction without id  paid  5.00 EUR',
      '  + transaction without id  paid  5.00 EUR',
    ]);
  });

  it('shows an order whose money stays by its sequence', () => {
    expect(printed(snapshot({}), snapshot({ sequence: 2 }))).toEqual([
      'order-1  stays paid',
      '    only its history: sequence 1 -> 2',
    ]);
  });

  it('says that no order changes', () => {
    const { terminal, lines } = recordTerminal();
    printOrderChanges(terminal, []);
    expect(lines).toEqual(['No order changes.']);
  });

  it('prints no control characters of an id', () => {
    const { terminal, lines } = recordTerminal();
    const change = { order_id: 'a\u001b[2Jb', before: null, after: snapshot({}) };
    printOrderChanges(terminal, [change]);
    expect(lines[0]).toBe('ab  new -> paid');
  });
});
