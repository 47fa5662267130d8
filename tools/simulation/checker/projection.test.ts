import { describe, expect, it } from 'vitest';
import { meaningOfName } from './meanings.ts';
import { project, type ReadBody } from './projection.ts';

/** `a paid o1 T 5`: event a, `transaction.paid`, order o1, transaction T, amount 5; `-` is missing. */
function body(text: string, more: Partial<ReadBody> = {}): ReadBody {
  const [id = '', action, orderId, transactionId, amount = '5'] = text.split(' ');
  const part = (given: string | undefined): string | null => (given === '-' ? null : (given ?? null));
  const name = `transaction.${action}`;
  const ids = { orderId: part(orderId), transactionId: part(transactionId) };
  const event = {
    id,
    name,
    meaning: meaningOfName(name, {}),
    ...ids,
    amount,
    currency: 'USD',
    createdAt: null,
  };
  return { event, sha256: 'ab', isFirst: true, ...more };
}
const later = (text: string): ReadBody => body(text, { isFirst: false });
const admit = (text: string, orderId: string | null = null, isFirst = true): ReadBody =>
  body(text, { isFirst, admitted: { orderId } });

/** Each order with its events, by id and amount unless that is 5, and marks. */
function ordersOf(...bodies: readonly ReadBody[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...project(bodies).orders].map(([id, { events, marks }]) => {
      const shown = [...events.map(({ id, amount }) => `${id}${amount === '5' ? '' : ` ${amount}`}`).sort()];
      return [id, [...new Set([...shown, ...marks.map(({ text }) => text)])].join(', ')];
    }),
  );
}
const entriesOf = (transactionId: string, ...bodies: readonly ReadBody[]): readonly string[] =>
  [...(project(bodies).transactions.get(transactionId) ?? [])].sort();

const shared = '["shared","T"]';
const conflict = '["conflict","a","ab"]';

describe('the projection of stored bodies', () => {
  it('gives an event to the order that it names, whatever its transaction', () => {
    expect(ordersOf(body('a paid o1 T'), body('b updated o2 T'))).toEqual({ o1: 'a', o2: 'b' });
  });

  it('gives an event without an order id to every order in which its transaction was paid', () => {
    const refund = body('b refunded - T');
    expect(ordersOf(refund, body('a paid o1 T'))).toEqual({ o1: 'a, b' });
    expect(ordersOf(refund, body('a failed o1 T'))).toEqual({ o1: 'a' });
    expect(ordersOf(refund, body('a paid o1 U'))).toEqual({ o1: 'a' });
    expect(ordersOf(body('b refunded - -'), body('a paid o1 T'))).toEqual({ o1: 'a' });
  });

  it('marks the orders that events about money of one transaction name', () => {
    expect(ordersOf(body('a paid o1 T'), body('b paid o2 T'), body('c refunded - T'))).toEqual({
      o1: `a, c, ${shared}`,
      o2: `b, c, ${shared}`,
    });
    const elsewhere = { o1: `a, ${shared}`, o2: `b, ${shared}` };
    expect(ordersOf(body('a paid o1 T'), body('b refunded o2 T'))).toEqual(elsewhere);
    expect(ordersOf(body('a failed o1 T'), body('b disputed o2 T'))).toEqual(elsewhere);
    expect(ordersOf(body('a paid o1 T'), body('b paid o1 T'))).toEqual({ o1: 'a, b' });
  });

  it('counts another body under an id that belongs to the same order, or transaction', () => {
    expect(ordersOf(body('a paid o1 T'), later('a paid o1 T 6'))).toEqual({ o1: 'a, a 6' });
    expect(ordersOf(body('a refunded - T'), later('a refunded - T 6'), body('b paid o1 T'))).toEqual({
      o1: 'a, a 6, b',
    });
  });

  it('lets the first of two bodies count that belong elsewhere, and marks both places', () => {
    const [own, rival] = [body('a paid o1 T'), later('a paid o2 T')];
    expect(ordersOf(own, rival)).toEqual({ o1: `a, ${conflict}`, o2: conflict });
    expect([own, rival].map(project([own, rival]).counts)).toEqual([true, false]);
    expect(ordersOf(own, later('a paid - T'))).toEqual({ o1: `a, ["conflict","a","ab","T"], ${conflict}` });
    expect(ordersOf(body('a refunded - T'), later('a refunded - U'), body('b paid o1 U'))).toEqual({
      o1: 'b, ["conflict","a","ab","U"]',
    });
    expect(ordersOf(body('a refunded - -'), later('a refunded - - 6'))).toEqual({});
  });

  it('lets an operator admit a second body, which takes the mark away', () => {
    const admitted = admit('a paid o2 U', null, false);
    expect(ordersOf(body('a paid o1 T'), admitted, body('b refunded - U'))).toEqual({ o1: 'a', o2: 'a, b' });
  });

  it('gives a transaction the order that an operator names, and an event without one only itself', () => {
    const [given, refund] = [admit('a refunded - T', 'o1'), body('b disputed - T')];
    expect(ordersOf(given, refund)).toEqual({ o1: 'a, b' });
    expect(ordersOf(given, refund, body('c paid o2 T'))).toEqual({
      o1: `a, b, ${shared}`,
      o2: `a, b, c, ${shared}`,
    });
    expect(ordersOf(admit('a refunded - -', 'o1'), body('b disputed - -'))).toEqual({ o1: 'a' });
  });

  it('names the orders of a body: its own, or those that hold its fact', () => {
    const bodies = [body('a paid o1 T'), body('b refunded - T'), body('c paid o2 T'), body('d refunded - U')];
    expect(bodies.map(project(bodies).ordersOf)).toEqual([['o1'], ['o1', 'o2'], ['o2'], []]);
  });

  it('gives a transaction one entry for each event about money, and the facts of those without an order', () => {
    const refund = '["refunded","b","transaction.refunded","T","5","USD",null,"transaction"]';
    expect(entriesOf('T', body('a paid o1 T'), body('b refunded - T'), body('c updated o1 T'))).toEqual([
      '["order","paid","a","o1"]',
      refund,
    ]);
    expect(entriesOf('T', admit('b refunded - T', 'o2'), body('d disputed o1 T'))).toEqual([
      '["order","assigned","b","o2"]',
      '["order","disputed","d","o1"]',
      refund,
    ]);
    expect(entriesOf('T', body('a paid o1 U'), later('a refunded - T'))).toEqual([
      '["conflict","a","ab","T"]',
    ]);
  });
});
