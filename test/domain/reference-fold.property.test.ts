import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { type PaymentEvent, parsePaymentEvent } from '../../lambdas/domain/payment-event.ts';
import { fold, meaningOf } from '../doubles/fold.ts';
import { anyBodies } from '../doubles/hostile-bodies.ts';
import { readEvent, referenceOrders } from './reference-fold.ts';

/** The event of a body that may change an order, and the order; `undefined` if `classify` refuses it. */
function admitted(body: string) {
  const parsed = parsePaymentEvent(Buffer.from(body));
  if (!parsed.ok || parsed.event.sandbox !== false) return undefined;
  const { order, transaction } = parsed.event;
  if (order === 'invalid' || transaction.idInvalid) return undefined;
  return { event: parsed.event, orderId: order?.id ?? null };
}

/** The facts of each order when everything has arrived: those of its events and of its transactions. */
function factsOfOrders(bodies: readonly string[]): Map<string, Set<string>> {
  const events = bodies.map(admitted).filter((event) => event !== undefined);
  const ordersOf = ({ transaction: { id } }: PaymentEvent): readonly string[] => {
    const payments = events.filter(({ event }) => meaningOf(event.eventName) === 'paid' && id !== null);
    const orderIds = payments.map(({ event, orderId }) => (event.transaction.id === id ? orderId : null));
    return [...new Set(orderIds.filter((orderId) => orderId !== null))];
  };
  const orders = new Map<string, Set<string>>();
  const add = (orderId: string, fact: string) =>
    orders.set(orderId, (orders.get(orderId) ?? new Set()).add(fact));
  for (const { event, orderId } of events) {
    const paidIn = ordersOf(event);
    for (const target of orderId === null ? paidIn : [orderId]) add(target, eventFact(event));
    if (paidIn.length > 1) for (const target of paidIn) add(target, sharedFact(event.transaction.id ?? ''));
  }
  return orders;
}

function read(body: string) {
  const { event, orderId } = admitted(body) ?? {};
  if (event === undefined) return undefined;
  const { id: transactionId, amount, currency, createdAt } = event.transaction;
  return { id: event.id, name: event.eventName, orderId, transactionId, amount, currency, createdAt };
}

/** The same values in every run; a failure prints what repeats it. */
const runs = { numRuns: 3_000, seed: 20_261_121 };

describe('parsePaymentEvent', () => {
  it('reads ids, name, amount, currency and time of any body as the documents say', () => {
    const property = fc.property(anyBodies, (bodies) => {
      expect(bodies.map(read)).toEqual(bodies.map(readEvent));
    });
    fc.assert(property, runs);
  });
});

describe('foldOrder', () => {
  it('returns for every order the state that the documents give it', () => {
    const property = fc.property(anyBodies, (bodies) => {
      const states = [...factsOfOrders(bodies)].map(([orderId, facts]) => {
        const { attention, ...state } = fold(facts);
        return [orderId, { ...state, attention: attention.toSorted() }] as const;
      });
      expect(new Map(states)).toEqual(referenceOrders(bodies));
    });
    fc.assert(property, runs);
  });
});
