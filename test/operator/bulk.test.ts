import { expect, it } from 'vitest';
import { type BulkPerformer, createBulk } from '../../operator/acts/bulk.ts';
import { moneyLine, summaryOf } from '../../operator/acts/bulk-summary.ts';
import type { ActConfirmation, ActPlan, BulkItem } from '../../operator/acts/documents.ts';

const item = (event_id: string, more: Partial<BulkItem> = {}): BulkItem => ({
  ...{
    event_id,
    event_name: 'transaction.paid',
    meaning: 'paid',
    order_id: event_id,
    body_sha256: null,
    kind: 'quarantined',
  },
  ...{ amount: '10.00', currency: 'USD', ...more },
});
type Order = ActPlan['orders'][number];
const change = (order_id: string, before: number, after: number): Order =>
  ({
    order_id,
    before: { status: `${before}`, attention: [] },
    after: { status: `${after}`, attention: [] },
  }) as never;

/** Orders as numbers. Each act adds one to the order that its event is named after, once. */
function setUp(stored: Record<string, number>, ...items: readonly BulkItem[]) {
  const done: string[] = [];
  const planOf = ({ event_id = '' }: { event_id?: string | undefined }): ActPlan => {
    const order = event_id.replace(/-.*/, '');
    const before = stored[order];
    if (before === undefined) throw new RangeError('It names no order.');
    const orders = [change(order, before, before + 1)];
    const plan = { is_needed: !done.includes(event_id), is_possible: true, by: 'kim', context: [], orders };
    return {
      ...plan,
      sentence: `Plan of ${event_id}.`,
      effect: JSON.stringify(orders),
      mode: 'live',
      events: [{ event_id, body_sha256: null, before: { waiting: 'quarantined' } } as never],
    };
  };
  const performer: BulkPerformer = {
    plan: async (request) => planOf(request),
    async confirm(request, shown, sentence): Promise<ActConfirmation> {
      await new Promise(setImmediate);
      const plan = planOf(request);
      if (!plan.is_needed || plan.effect !== shown.effect) return { step: 'changed', plan };
      done.push(request.event_id ?? '');
      for (const { order_id } of plan.orders) stored[order_id] = (stored[order_id] ?? 0) + 1;
      const { events, orders } = plan;
      return { step: 'done', outcome: { sentence, events, orders, record: null, proposal: null } };
    },
    refusalOf: (error) => (error instanceof RangeError ? error.message : undefined),
    progress: () => {},
  };
  return { bulk: createBulk({ act: 'admit', mode: 'live' }, async () => items), performer, done };
}

it('a bulk act leaves out what is judged alone, and names what was done already or is refused', async () => {
  const { bulk, performer, done } = setUp(
    { a: 0, b: 0, d: 0, e: 0, f: 0 },
    ...[item('a'), item('b', { kind: null }), item('c'), item('d', { kind: 'conflict' })],
    ...[item('e', { kind: 'unassigned' }), item('f', { kind: null })],
  );
  done.push('b');
  expect(await bulk.plan(performer)).toMatchObject({
    is_needed: true,
    context: [
      '1 events; orders that change: 1.',
      '1 payments: 10.00 USD',
      'c: It names no order.',
      'd: It waits as conflict: look at it, and judge it alone.',
      'e: It names no order: admit it alone, and choose the order.',
      'f: It does not wait: judge it alone. Plan of f.',
    ],
    orders: [{ order_id: 'a' }],
  });
  expect(bulk.state().tally).toBe('Done already: 1. Refused: 1. Left out: 3. Still to do: 1.');
});

it('several acts on one order follow one another, and a change from outside leaves an act undone', async () => {
  const stored = { a: 0, b: 1 };
  const { bulk, performer } = setUp(stored, ...['a-1', 'b-1', 'a-2', 'a-3', 'b-2'].map((id) => item(id)));
  await bulk.plan(performer);
  stored.b = 5;
  expect(await bulk.confirm(performer, 'checked')).toMatchObject({
    outcome: {
      sentence: 'Applied 3. Changed in the meantime, and left: 2. b-1: Plan of b-1. b-2: Plan of b-2.',
    },
  });
  expect(stored).toEqual({ a: 3, b: 5 });
});

it('a change from outside between two acts on one order leaves the second one undone', async () => {
  const stored = { a: 0 };
  const { bulk, performer } = setUp(stored, item('a-1'), item('a-2'));
  await bulk.plan(performer);
  const progress = () => {
    stored.a = 7;
  };
  await bulk.confirm({ ...performer, progress }, 'checked');
  expect(bulk.state().tally).toBe('Applied 1. Changed in the meantime, and left: 1.');
});

it('an act whose response was lost ends a bulk act, and its repetition finds that it was done', async () => {
  const { bulk, performer } = setUp({ a: 0, b: 0 }, item('a'), item('b'));
  await bulk.plan(performer);
  const confirm: BulkPerformer['confirm'] = async (request, ...shown) => {
    const confirmation = await performer.confirm(request, ...shown);
    if (request.event_id === 'b') throw new Error('No response.');
    return confirmation;
  };
  await expect(bulk.confirm({ ...performer, confirm }, 'checked')).rejects.toThrow('No response.');
  expect(bulk.state().tally).toBe('Applied 1. Still to do: 1.');
  await bulk.confirm(performer, 'checked');
  expect(bulk.state().tally).toBe('Applied 1. Done already: 1.');
});

it('the preview of a bulk act adds up 26 digits exactly, by currency, and payments and refunds apart', () => {
  const refunded = { event_name: 'transaction.refunded', meaning: 'refunded', currency: 'EUR' } as const;
  const items = [
    ...[
      item('a', { amount: '99999999999999999999999999.99' }),
      item('b', { amount: '0.011', currency: 'usd' }),
    ],
    ...[item('c', { amount: '7', currency: 'EUR' }), item('d', { amount: 'many' })],
    ...[item('e', { ...refunded, amount: '0.10' }), item('f', { ...refunded, amount: '0.20' })],
    ...[
      item('g', { event_name: 'transaction.failed', meaning: 'failed' }),
      item('h', { event_name: null, amount: null }),
      item('i', { event_name: '\u001b[2Jpayments', meaning: null, currency: 'U\u0007SD' }),
      item('j', { event_name: 'bodies that are no event', meaning: null }),
    ],
  ];
  const plan = { orders: [change('o', 0, 1)] } as unknown as ActPlan;
  const { money, ...counts } = summaryOf(items.map((one) => ({ item: one, plan })));
  expect([counts, money.map(moneyLine)]).toEqual([
    { events: 10, orders: 1 },
    [
      '4 payments: 100000000000000000000000000.001 USD, 7 EUR; 1 without an amount',
      '2 refunds: 0.30 EUR',
      '1 failed payments',
      '1 bodies that are no event',
      ...['1 “[2Jpayments”: 10.00 USD', '1 “bodies that are no event”: 10.00 USD'],
    ],
  ]);
});
