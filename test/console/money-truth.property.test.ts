import type { Order, OrderEvents } from '@payhooks/order-client';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownMoney } from '../../console/page/list/shown-money.ts';
import { moneySentence } from '../../console/page/order/money-sentence.ts';
import { createClassify } from '../../lambdas/consumer/receive.ts';
import { attentions } from '../../lambdas/domain/attention.ts';
import { eventFact, judgedDigest, resolvedFact, sharedFact } from '../../lambdas/domain/fact.ts';
import { foldOrder } from '../../lambdas/domain/fold-order.ts';
import { orderEventsView, orderView } from '../../lambdas/order-query/order-view.ts';
import type { EventSummary } from '../../lambdas/ports/stores.ts';
import { meaningOf as meaningOfEvent } from '../../tools/simulation/checker/money.ts';
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

/** The same order, read from the bodies and the documents alone. */
function readAgain({ bodies }: Given) {
  const known = project(secondReading(bodies.map((body) => JSON.stringify(body)))).orders.get('order-1');
  const { transactions, events } = orderState(known ?? { events: [], marks: [] });
  const payments = events.filter((event) => meaningOfEvent(event) === 'paid');
  const isPaid = (id: string | null) => payments.some((one) => id !== null && one.transactionId === id);
  return {
    ...{ transactions, payments },
    held: transactions.filter(({ status }) => status === 'paid' || status === 'partially_refunded'),
    returned: transactions.filter(({ id, status }) => status === 'refunded' && isPaid(id)),
    unmatched: transactions.filter(({ id, status }) => status === 'refunded' && !isPaid(id)),
  };
}

function forAll(check: (given: Given, shown: NonNullable<ReturnType<typeof responses>>) => void): void {
  const property = fc.property(anyOrder, (given) => {
    const shown = responses(given);
    if (shown !== undefined) check(given, shown);
  });
  fc.assert(property, { numRuns: 500 });
}

describe('the first line of any order', () => {
  it('counts the payments that hold money', () => {
    forAll((given, { order, details }) => {
      const { held } = readAgain(given);
      const counted = moneySentence(order, details)
        .split('; ')
        .filter((text) => !text.includes('refunded in full'))
        .map((text) => /^(?:(\d+) × )?Paid /.exec(text))
        .reduce((sum, match) => sum + (match === null ? 0 : Number(match[1] ?? 1)), 0);
      expect(counted).toBe(held.length);
    });
  });

  it('says of every payment whether it was refunded in full, in part or not', () => {
    forAll((given, { order, details }) => {
      const { held, returned, unmatched, transactions } = readAgain(given);
      const sentence = moneySentence(order, details);
      const inPart = held.some(({ status }) => status === 'partially_refunded');
      expect(sentence.includes('refunded in full')).toBe(returned.length > 0);
      expect(sentence.includes('refunded in part')).toBe(inPart);
      expect(sentence.includes('no payment is known')).toBe(unmatched.length > 0);
      const moved = held.length + returned.length + unmatched.length > 0;
      const isFailed = transactions.some(({ status }) => status === 'failed');
      expect(sentence.includes('failed')).toBe(!moved && isFailed);
      expect(!moved && !isFailed && !sentence.includes('No event so far says')).toBe(false);
    });
  });

  it('names the amount that the payment service wrote, in the list of orders too', () => {
    forAll((given, { order, details }) => {
      const { held, returned, unmatched } = readAgain(given);
      const [only, ...others] = held.length > 0 ? held : returned;
      if (only === undefined || others.length > 0) return;
      const money =
        `${only.amount ?? 'an unknown amount'} ${only.amount ? (only.currency ?? '') : ''}`.trim();
      expect(moneySentence(order, details)).toContain(`Paid ${money}`);
      // Only the reasons distinguish the amount of a failure from that of a payment; the list has none.
      if (held.length > 0 || unmatched.every(({ amount }) => amount === null))
        expect(shownMoney(order)).toEqual({ amount: only.amount, currency: only.currency });
    });
  });
});
