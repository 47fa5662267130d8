import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMeaningOf } from '../../../lambdas/domain/assumptions.ts';
import { attentions } from '../../../lambdas/domain/attention.ts';
import { eventFact, judgedDigest, resolvedFact } from '../../../lambdas/domain/fact.ts';
import { foldOrder } from '../../../lambdas/domain/fold-order.ts';
import { parsePaymentEvent, readingOf } from '../../../lambdas/domain/payment-event.ts';
import { anyBodies } from '../../../test/doubles/hostile-bodies.ts';
import { secondReading } from '../../../test/doubles/second-reading.ts';
import { factText } from './money.ts';
import { orderState } from './order-state.ts';
import { project, textsOf } from './projection.ts';
import { readBody } from './signed-body.ts';

const meaningOf = createMeaningOf();

/** What the product reads in a body, with its fact; `undefined` for one that it refuses. */
function productReading(body: string) {
  const parsed = parsePaymentEvent(Buffer.from(body));
  if (!parsed.ok || parsed.event.sandbox !== false) return undefined;
  const { id, invalidId } = parsed.event;
  if (invalidId !== undefined) return undefined;
  const { eventName: name, meaning, ...reading } = readingOf(parsed.event, meaningOf);
  const fact = eventFact(id, { eventName: name, meaning, ...reading });
  return { id, name, meaning: meaning ?? undefined, ...reading, fact };
}

function ourReading(body: string) {
  const reading = readBody(Buffer.from(body), 'live');
  return reading.kind === 'event' ? { ...reading.event, fact: factText(reading.event) } : undefined;
}

const runs = { numRuns: 2_000 };

describe('the parser of the pipeline', () => {
  it('reads ids, name, meaning, amount, currency and time of any body as the documents say', () => {
    const property = fc.property(anyBodies, (bodies) => {
      expect(bodies.map(productReading)).toEqual(bodies.map(ourReading));
    });
    fc.assert(property, runs);
  });
});

/** Bodies, of which an operator saw some when the order was resolved. */
const anyActs = fc.record({
  bodies: anyBodies,
  seen: fc.nat(12),
  resolved: fc.tuple(fc.subarray([...attentions]), fc.subarray([...attentions])),
});

describe('the fold of the pipeline', () => {
  it('returns for every order the state that the documents give it', () => {
    const property = fc.property(anyActs, ({ bodies, seen, resolved: [now, before] }) => {
      const ordersOf = (some: readonly string[]) => project(secondReading(some)).orders;
      const earlier = ordersOf(bodies.slice(0, seen));
      for (const [orderId, known] of ordersOf(bodies)) {
        const facts = [...textsOf(known)].sort();
        const then = [...textsOf(earlier.get(orderId) ?? { events: [], marks: [] })].sort();
        const resolutions = [
          ...now.map((attention) => ({ attention, judgedSha256: judgedDigest(facts) })),
          ...before.map((attention) => ({ attention, judgedSha256: judgedDigest(then) })),
        ].map((resolution) =>
          resolvedFact({ ...resolution, by: 'ann', at: '2026-11-22', reason: 'checked' }),
        );
        const isSame = JSON.stringify(then) === JSON.stringify(facts);
        const ended: readonly string[] = isSame ? [...now, ...before] : now;
        const { attention, events, ...state } = orderState(known);
        const left = attention.filter((name) => !ended.includes(name));
        expect(foldOrder([...resolutions, ...facts])).toEqual({
          ...state,
          attention: attentions.filter((name) => left.includes(name)),
          events: events.map((event) => {
            const { id, name, transactionId, amount, currency } = event;
            const money = { transaction_id: transactionId, amount, currency };
            return { id, event_name: name, meaning: event.meaning ?? 'history', ...money };
          }),
        });
      }
    });
    fc.assert(property, runs);
  });
});
