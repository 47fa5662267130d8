import { expect, it } from 'vitest';
import { type Change, rowsOf, sentencesAfter, view } from '../../../test/doubles/changed-history.ts';
import { sha256, sign, texts } from '../../../test/doubles/sample-history.ts';

/** A former version read another order and amount in the payment of order-1, and a replay has corrected it. */
const readAnew: Change = (history) => {
  history.readAnewFrom = history.endedAt;
  const body = JSON.parse(texts.paid);
  const former = { ...body.payload.transaction, order_id: 'order-9', amount: '7.00' };
  const text = JSON.stringify({ ...body, payload: { ...body.payload, former } });
  const [delivery] = history.deliveries;
  const [row] = rowsOf(history, 'live:event:evt-1', 'event');
  if (delivery === undefined || row === undefined) throw new Error('The sample has no payment.');
  const base64 = Buffer.from(text).toString('base64');
  delivery.body = base64;
  for (const attempt of delivery.attempts) attempt.signature = sign(text, 'live');
  const signature = Buffer.from(sign(text, 'live'), 'hex').toString('base64');
  Object.assign(row, { body: { B: base64 }, body_sha256: { S: sha256(text) }, signature: { B: signature } });
};
/** The former order, published in this state, and then empty. */
const formerOrder =
  (amount = '7.00', id = 'order-9'): Change =>
  ({ tables, bus }) => {
    tables.orders.push({ order_key: { S: `live:order:${id}` }, facts: { SS: ['["event.1","evt-1"]'] } });
    const paid = { id: 'T-1', status: 'paid', amount, currency: 'USD', created_at: null };
    const states = [{ status: 'paid', attention: [] }, { status: 'pending', attention: [] }, null];
    for (const sequence of [1, 2]) {
      const detail = JSON.stringify({
        ...{ id: `live ${id} ${sequence}`, order_id: id, mode: 'live', sequence, caused_by: [] },
        ...{ previous: states.at(sequence - 2), current: states[sequence - 1] },
        transactions: sequence === 1 ? [paid] : [],
      });
      bus.push({ at: 0, id: 'x', source: 'payhooks', detailType: 'OrderStatusChanged', detail });
    }
  };
const ofOrders = (...changes: readonly Change[]): readonly string[] =>
  sentencesAfter(...changes).filter((sentence) => /^(orders|feed)/.test(sentence));
const invented =
  'orders: The live order "order-9" exists, and no event that was recorded belongs to it: it was invented.';

it('an order that only a former version read in an event exists, and holds nothing', () => {
  expect(ofOrders(readAnew, formerOrder())).toEqual([]);
  expect(ofOrders(formerOrder())).toContain(invented);
  expect(ofOrders(readAnew, formerOrder(), ({ bus }) => bus.splice(-2))).toEqual([
    'feed: The live order "order-9": the feed never published it.',
  ]);
});

it('an event that was sent after the former version is read by today alone', () => {
  const sentLater: Change = (history) => {
    history.readAnewFrom = history.deliveries[0]?.attempts[0]?.at;
  };
  expect(ofOrders(readAnew, sentLater, formerOrder())).toContain(invented);
});

it('an order was published only in states that either reading of its events gave it', () => {
  expect(ofOrders(readAnew, formerOrder('100.00'))).toEqual([
    'feed: The live order "order-9": change 1 shows "paid", which none of its events ever gave it.',
  ]);
});

it('what a former version saw in two orders stays marked; no other mark is right', () => {
  const mark =
    (shown: readonly string[], fact?: string, order = 0): Change =>
    (history) => {
      const facts = history.tables.orders[order]?.['facts'];
      if (fact !== undefined && facts) facts['SS'] = [...(facts['SS'] as string[]), fact];
      view(history, order)['attention'] = shown;
    };
  const wrong = (...changes: readonly Change[]): number =>
    ofOrders(...changes).filter((sentence) => sentence.includes('" shows [')).length;
  const shared = ['transaction_in_two_orders'];
  const fact = '["shared.1","T-1"]';
  expect(wrong(readAnew, mark(shared, fact))).toBe(0);
  expect(wrong(readAnew, mark([], fact))).toBe(1);
  expect(wrong(readAnew, mark(shared))).toBe(1);
  expect(wrong(mark(shared, fact))).toBe(1);
  expect(wrong(readAnew, mark(shared, '["shared.1","T-9"]'))).toBe(1);
  expect(wrong(readAnew, mark(['conflicting_event', ...shared], '["shared.1","T-2"]', 1))).toBe(1);
  expect(wrong(readAnew, mark(['disputed'], fact))).toBe(1);
});
