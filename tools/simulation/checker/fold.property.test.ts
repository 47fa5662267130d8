import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { correctionFact, eventFact, resolvedFact, sharedFact } from '../../../lambdas/domain/fact.ts';
import { judgedDigest } from '../../../lambdas/domain/judged-digest.ts';
import { type PaymentEvent, parsePaymentEvent } from '../../../lambdas/domain/payment-event.ts';
import { fold, meaningOf } from '../../../test/doubles/fold.ts';
import { anyBodies } from '../../../test/doubles/hostile-bodies.ts';
import { secondReading } from '../../../test/doubles/second-reading.ts';
import { knownOrders } from './known-orders.ts';
import { meaningfulText, orderState } from './order-state.ts';
import { readBody, type SignedEvent } from './signed-body.ts';

/** What an operator saw of all orders: bodies, and corrections of what bodies mean. */
interface Seen {
  readonly bodies: readonly string[];
  readonly corrections: readonly { readonly body: string; readonly n: number }[];
}

/** The event of a body that may change an order, and the order; `undefined` if `classify` refuses it. */
function admitted(body: string) {
  const parsed = parsePaymentEvent(Buffer.from(body));
  if (!parsed.ok || parsed.event.sandbox !== false) return undefined;
  const { order, transaction } = parsed.event;
  if (order === 'invalid' || transaction.idInvalid) return undefined;
  return { event: parsed.event, orderId: order?.id ?? null };
}

/** The facts of each order when everything has arrived: of its events, its transactions and corrections. */
function factsOfOrders({ bodies, corrections }: Seen): Map<string, Set<string>> {
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
  for (const { body, n } of corrections) {
    const { event } = admitted(body) ?? {};
    const fact = event && eventFact(event);
    for (const facts of orders.values()) if (fact && facts.has(fact)) facts.add(correctionFact(fact, n));
  }
  return orders;
}

/** Bodies, corrections and resolutions, of which some were made when only the first of each had arrived. */
const anyActs = fc
  .record({
    bodies: anyBodies,
    corrected: fc.array(fc.record({ at: fc.nat(11), n: fc.integer({ min: 1, max: 3 }) }), { maxLength: 4 }),
    seen: fc.record({ bodies: fc.nat(12), corrections: fc.nat(4) }),
    resolved: fc.tuple(fc.subarray([...attentions]), fc.subarray([...attentions])),
  })
  .map(({ bodies, corrected, seen, resolved: [now, before] }) => {
    const corrections = corrected.flatMap(({ at, n }) => {
      const body = bodies[at];
      return body === undefined ? [] : [{ body, n }];
    });
    const all = { bodies, corrections };
    const some = {
      bodies: bodies.slice(0, seen.bodies),
      corrections: corrections.slice(0, seen.corrections),
    };
    const resolved = [
      { seen: all, attentions: now },
      { seen: some, attentions: before },
    ];
    return { all, resolved };
  });

function productReading(body: string): SignedEvent | undefined {
  const { event, orderId = null } = admitted(body) ?? {};
  if (event === undefined) return undefined;
  const { id: transactionId, amount, currency, createdAt } = event.transaction;
  const meaning = meaningOf(event.eventName);
  return {
    id: event.id,
    name: event.eventName,
    meaning,
    orderId,
    transactionId,
    amount,
    currency,
    createdAt,
  };
}

function ourReading(body: string): SignedEvent | undefined {
  const reading = readBody(Buffer.from(body), 'live');
  return reading.kind === 'event' ? reading.event : undefined;
}

/** What the bodies make known, with all corrections of an order as text, so that equal knowledge is equal. */
function ourOrders({ bodies, corrections }: Seen) {
  const recorded = secondReading(bodies);
  const corrected = corrections.flatMap(({ body, n }) => {
    const event = ourReading(body);
    return event === undefined ? [] : [{ event, n }];
  });
  const all = knownOrders(recorded).orders;
  const uncorrected = knownOrders(recorded, corrected).orders;
  return new Map(
    [...uncorrected].map(([id, known]) => {
      const texts = new Set(all.get(id)?.events.map(meaningfulText));
      const done = corrected
        .map(({ event, n }) => [meaningfulText(event), n] as const)
        .filter(([text]) => texts.has(text));
      const lists = [[...texts], known.marks.map((mark) => JSON.stringify(mark)), done.map(String)];
      const knowledge = JSON.stringify(lists.map((list) => [...new Set(list)].sort()));
      return [id, { known, knowledge }];
    }),
  );
}

const runs = { numRuns: 2_000 };

describe('the parser of the pipeline', () => {
  it('reads ids, name, amount, currency and time of any body as the documents say', () => {
    const property = fc.property(anyBodies, (bodies) => {
      expect(bodies.map(productReading)).toEqual(bodies.map(ourReading));
    });
    fc.assert(property, runs);
  });
});

describe('the fold of the pipeline', () => {
  it('returns for every order the state that the documents give it', () => {
    const property = fc.property(anyActs, ({ all, resolved }) => {
      const judged = resolved.map(({ seen, attentions }) => ({ seen: factsOfOrders(seen), attentions }));
      const states = [...factsOfOrders(all)].map(([orderId, facts]) => {
        const resolutions = judged.flatMap(({ seen, attentions }) => {
          const judgedSha256 = judgedDigest(seen.get(orderId) ?? []);
          const signed = { judgedSha256, by: 'ann', at: '2026-11-22', reason: 'checked' };
          return attentions.map((attention) => resolvedFact({ ...signed, attention }));
        });
        const { attention, ...state } = fold([...resolutions, ...facts]);
        return [orderId, { ...state, attention: attention.toSorted() }] as const;
      });
      const saw = resolved.map(({ seen, attentions }) => ({ seen: ourOrders(seen), attentions }));
      const ours = [...ourOrders(all)].map(([orderId, { known, knowledge }]) => {
        const ended = saw
          .filter(({ seen }) => seen.get(orderId)?.knowledge === knowledge)
          .flatMap(({ attentions }): readonly string[] => attentions)
          .filter((name) => name !== 'too_many_events');
        const { attention, events, ...state } = orderState(known);
        const counted = events.map(({ id, name, transactionId, amount, currency }) => {
          return { id, event_name: name, transaction_id: transactionId, amount, currency };
        });
        const left = attention.filter((name) => !ended.includes(name));
        return [orderId, { ...state, attention: left, events: counted }] as const;
      });
      expect(new Map(states)).toEqual(new Map(ours));
    });
    fc.assert(property, runs);
  });
});
