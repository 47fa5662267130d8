import type { Order, OrderEvents } from '@payhooks/order-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneySentence } from '../../console/page/order/money-sentence.ts';
import { createClassify } from '../../lambdas/consumer/receive.ts';
import { attentions } from '../../lambdas/domain/attention.ts';
import { eventFact, judgedDigest, resolvedFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';
import { orderMoney } from '../../lambdas/domain/money-text.ts';
import { orderEventsView, orderView } from '../../lambdas/order-query/order-view.ts';
import type { EventSummary } from '../../lambdas/ports/stores.ts';
import { orderState } from '../../tools/simulation/checker/order-state.ts';
import { project } from '../../tools/simulation/checker/projection.ts';
import { meaningOf } from '../doubles/fold.ts';
import { secondReading } from '../doubles/second-reading.ts';

const amounts = ['100.00', '100', '60', '40.00', '1e3', '-5', '0', 'NaN', '9'.repeat(40), '١٠٠', '', null];
const anyBody = fc
  .record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
    action: fc.constantFrom('paid', 'paid', 'refunded', 'refunded', 'failed', 'disputed', 'noted'),
    transaction: fc.record({
      id: fc.constantFrom('T', 'T', 'U', 'V', null),
      order_id: fc.constantFrom('order-1', 'order-1', 'order-1', 'order-1', 'order-2'),
      amount: fc.oneof(fc.constantFrom('100.00', '60', '40.00'), fc.constantFrom(...amounts)),
      currency: fc.constantFrom('USD', 'USD', 'usd', 'EUR', null),
    }),
  })
  .map(({ id, action, transaction }) => ({
    id: `${transaction.order_id} ${id}`,
    event_name: `transaction.${action}`,
    sandbox: false,
    payload: { transaction },
  }));
const anyOrder = fc.record({
  bodies: fc.array(anyBody, { minLength: 1, maxLength: 9 }),
  resolved: fc.oneof(fc.constant([]), fc.subarray([...attentions])),
});
type Body = typeof anyBody extends fc.Arbitrary<infer T> ? T : never;
interface Given {
  readonly bodies: readonly Body[];
  readonly resolved: readonly string[];
}

/** What the order query responds for order-1; `undefined` when no body names it. */
function responses({ bodies, resolved }: Given) {
  const own = bodies.filter(({ payload }) => payload.transaction.order_id === 'order-1');
  if (own.length === 0) return undefined;
  const namedBy = (order: string) =>
    bodies
      .filter(({ event_name }) => event_name !== 'transaction.noted')
      .filter(({ payload }) => payload.transaction.order_id === order)
      .flatMap(({ payload }) => payload.transaction.id ?? []);
  const shared = namedBy('order-1').filter((id) => namedBy('order-2').includes(id));
  const facts = [...own.map(factOf), ...shared.map(sharedFact)];
  const judged = { judgedSha256: judgedDigest(facts), by: 'ann', at: '2026-11-22', reason: 'checked' };
  const all = [
    ...new Set([...facts, ...resolved.map((attention) => resolvedFact({ ...judged, attention }))]),
  ];
  const row = { order: { mode: 'live', id: 'order-1' }, facts: all, sequence: 1, updatedAt: '2026' } as const;
  const summaries = new Map(own.map(({ id }, n) => [id, summary(n)]));
  const parts = { row, state: foldOrder(all), summaries };
  const more = { ...parts, bodies: new Map(), waiting: [], waiting_complete: true, acts: [] };
  return {
    order: orderView(parts) as Order,
    details: orderEventsView(more) as OrderEvents,
  };
}

const classify = createClassify(meaningOf);

function factOf(event: Body): string {
  const read = classify({ body: Buffer.from(JSON.stringify(event)), mode: 'live' });
  return read.kind === 'event' ? eventFact(read.eventId, read.reading) : expect.unreachable();
}

function summary(n: number): EventSummary {
  const at = new Date(Date.UTC(2026, 10, 22) + n).toISOString();
  return { receivedAt: at, recordedAt: at, keyId: 'k', bodySha256: `${n}` } as EventSummary;
}

/** The transactions of the same order, read from the bodies and the documents alone. */
function readAgain({ bodies }: Given) {
  const known = project(secondReading(bodies.map((body) => JSON.stringify(body)))).orders.get('order-1');
  return orderState(known ?? { events: [], marks: [] }).transactions;
}

function forAll(check: (given: Given, shown: NonNullable<ReturnType<typeof responses>>) => void): void {
  const property = fc.property(anyOrder, (given) => {
    const shown = responses(given);
    if (shown !== undefined) check(given, shown);
  });
  fc.assert(property, { numRuns: 500 });
}

describe('the money of any order', () => {
  it('is what the documents make of its bodies, in its first line and in every list', () => {
    forAll((given, { order, details }) => {
      const transactions = [...readAgain(given)];
      expect(moneySentence(order, details)).toBe(moneySentence({ ...order, transactions }, details));
      expect(orderMoney(order.transactions)).toBe(orderMoney(transactions));
    });
  });

  it('is none without a payment or a refund, and a refund without a payment says so', () => {
    forAll((_, { order, details }) => {
      const statuses = order.transactions.map(({ status }) => status);
      const isMoved = statuses.some((status) => status !== 'failed' && status !== 'pending');
      expect(orderMoney(order.transactions) === null).toBe(!isMoved);
      const refunds = details.events.filter(({ meaning }) => meaning === 'refunded');
      const paid = details.events.filter(({ meaning }) => meaning === 'paid');
      const unmatched = refunds.filter(
        ({ transaction_id: id }) => id === null || paid.every(({ transaction_id }) => transaction_id !== id),
      );
      expect(moneySentence(order, details).includes('its payment is unknown')).toBe(unmatched.length > 0);
    });
  });
});
