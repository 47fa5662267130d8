import { describe, expect, it } from 'vitest';
import { knownOrders, type RecordedBody } from './known-orders.ts';
import { meaningOfName } from './meanings.ts';

/** `a paid o1 T 5`: event a, `transaction.paid`, order o1, transaction T, amount 5; `-` is missing. */
function body(text: string, more: Partial<RecordedBody> = {}): RecordedBody {
  const [id = '', action, orderId, transactionId, amount = '5'] = text.split(' ');
  const part = (given: string | undefined): string | null => (given === '-' ? null : (given ?? null));
  const name = `transaction.${action}`;
  const ids = { orderId: part(orderId), transactionId: part(transactionId) };
  const event = { id, name, meaning: meaningOfName(name, {}), ...ids, amount };
  return { event: { ...event, currency: 'USD', createdAt: null }, isFirst: true, ...more };
}
const later = (text: string): RecordedBody => body(text, { isFirst: false });

/** Each order with its events and marks. */
function ordersOf(...bodies: readonly RecordedBody[]): Readonly<Record<string, string>> {
  const { orders } = knownOrders(bodies);
  return Object.fromEntries(
    [...orders].map(([id, { events, marks }]) => {
      const shown = [...events.map(({ id, amount }) => `${id}${amount === '5' ? '' : ` ${amount}`}`).sort()];
      return [id, [...shown, ...marks.map(({ attention, about }) => `${attention} ${about}`)].join(', ')];
    }),
  );
}

const outcomesOf = (...bodies: readonly RecordedBody[]): readonly string[] =>
  bodies.map((one) => {
    const { outcome, orderIds } = knownOrders(bodies).outcomeOf(one);
    return [outcome, ...orderIds].join(' ');
  });

describe('what is known of orders', () => {
  it('gives an event to the order that it names, whatever its transaction', () => {
    expect(ordersOf(body('a paid o1 T'), body('b refunded o2 T'))).toEqual({ o1: 'a', o2: 'b' });
  });

  it('gives an event without an order id to every order in which its transaction was paid', () => {
    const refund = body('b refunded - T');
    expect(ordersOf(refund, body('a paid o1 T'))).toEqual({ o1: 'a, b' });
    expect(ordersOf(refund, body('a failed o1 T'))).toEqual({ o1: 'a' });
    expect(ordersOf(refund, body('a paid o1 U'))).toEqual({ o1: 'a' });
    expect(ordersOf(body('b refunded - -'), body('a paid o1 T'))).toEqual({ o1: 'a' });
  });

  it('marks the orders in which one transaction was paid', () => {
    const mark = 'transaction_in_two_orders T';
    expect(ordersOf(body('a paid o1 T'), body('b paid o2 T'), body('c refunded - T'))).toEqual({
      o1: `a, c, ${mark}`,
      o2: `b, c, ${mark}`,
    });
    expect(ordersOf(body('a paid o1 T'), body('b paid o1 T'))).toEqual({ o1: 'a, b' });
  });

  it('counts other bytes of an event once, and another event of its order too', () => {
    expect(ordersOf(body('a paid o1 T'), later('a paid o1 T'))).toEqual({ o1: 'a' });
    expect(ordersOf(body('a paid o1 T'), later('a paid o1 T 6'))).toEqual({ o1: 'a, a 6' });
    expect(ordersOf(body('a paid o1 T'), later('a paid o1 U'))).toEqual({ o1: 'a, a' });
    expect(ordersOf(body('a refunded - T'), later('a refunded - T 6'), body('b paid o1 T'))).toEqual({
      o1: 'a, a 6, b',
    });
  });

  it('lets the first of two events count whose orders differ, and marks both orders', () => {
    const mark = 'conflicting_event a';
    expect(ordersOf(body('a paid o1 T'), later('a paid o2 T'))).toEqual({ o1: `a, ${mark}`, o2: mark });
    expect(ordersOf(body('a paid o1 T'), later('a paid - T'))).toEqual({ o1: `a, ${mark}, ${mark}` });
    expect(ordersOf(body('a refunded - T'), later('a refunded - U'), body('b paid o1 U'))).toEqual({
      o1: `b, ${mark}`,
    });
    expect(ordersOf(body('a refunded - -'), later('a refunded - - 6'))).toEqual({});
  });

  it('lets an operator admit a second event as if it had arrived alone', () => {
    const admitted = { isFirst: false, admitted: { orderId: null } };
    expect(ordersOf(body('a paid o1 T'), body('a paid o2 U', admitted), body('b refunded - U'))).toEqual({
      o1: 'a, conflicting_event a',
      o2: 'a, b, conflicting_event a',
    });
  });

  it('gives a transaction the order that an operator names, and an event without one only itself', () => {
    const admitted = { admitted: { orderId: 'o1' } };
    expect(ordersOf(body('a refunded - T', admitted), body('b disputed - T'))).toEqual({ o1: 'a, b' });
    expect(ordersOf(body('a refunded - -', admitted), body('b disputed - -'))).toEqual({ o1: 'a' });
  });

  it('leaves out an event that is corrected an odd number of times', () => {
    const first = body('a paid o1 T');
    const orders = (...ns: readonly number[]) =>
      knownOrders(
        [first],
        ns.map((n) => ({ event: first.event, n })),
      ).orders.get('o1')?.events.length;
    expect([orders(), orders(1), orders(2), orders(2, 1), orders(1, 2, 3)]).toEqual([1, 0, 1, 1, 0]);
  });
});

describe('the outcome of a body', () => {
  it('is applied in its orders, recorded, or unassigned where a person must name the order', () => {
    expect(outcomesOf(body('a paid o1 T'), body('b refunded - T'))).toEqual(['applied o1', 'applied o1']);
    expect(outcomesOf(body('a refunded - T'))).toEqual(['unassigned']);
    expect(outcomesOf(body('a updated - T'))).toEqual(['recorded']);
    expect(outcomesOf(body('a updated - T'), body('b paid o1 T'))).toEqual(['applied o1', 'applied o1']);
  });

  it('is a duplicate in other bytes, and a conflict for another event', () => {
    expect(outcomesOf(body('a paid o1 T'), later('a paid o1 T'), later('a paid o1 T 6'))).toEqual([
      'applied o1',
      'duplicate',
      'conflict o1',
    ]);
  });
});
