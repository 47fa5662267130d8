import { describe, expect, it } from 'vitest';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';

const ann = 'arn:aws:iam::1:user/ann';
const bob = 'arn:aws:iam::1:user/bob';
const sent = (fields: EventFields) => ({ body: eventBody(fields) });
const refund = (id: string, more: Partial<EventFields> = {}) => sent({ id, action: 'refunded', ...more });
const paidT = { id: 'T', status: 'paid', amount: '100.00', currency: 'USD', created_at: null };

describe.each<Backend>(['memory', 'tables'])('an admission over %s', (backend) => {
  it('gives an event without an order id, and all that waits for its transaction, an order', async () => {
    const { act, consume, order, rows, acts } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }), refund('r', { amount: '40.00' }));
    const { status, body } = await act('admit', { event_id: 'p', order_id: 'A' });
    const refunded = { ...paidT, status: 'partially_refunded' };
    expect(status).toBe(200);
    expect(body).toEqual({
      act: 'admit',
      mode: 'live',
      dry_run: false,
      changed: true,
      by: ann,
      at: '2026-11-22T09:00:00.000Z',
      reason: 'checked with the customer',
      events: ['p', 'r'].map((id) => ({
        event_id: id,
        body_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        before: { outcome: 'unassigned', waiting: 'unassigned' },
        after: { outcome: 'applied', waiting: null },
      })),
      orders: [
        {
          order_id: 'A',
          before: null,
          after: { status: 'partially_refunded', attention: [], transactions: [refunded], sequence: 2 },
        },
      ],
    });
    expect(await order('A')).toMatchObject({ status: 'partially_refunded', events: ['p', 'r'] });
    expect([await rows('p'), await rows('r')]).toEqual([
      { event: ['applied', null] },
      { event: ['applied', null] },
    ]);
    const [audit] = await acts.actsOf('live:order:A');
    expect(audit).toMatchObject({ act: 'admit', by: ann, eventId: 'p', orderId: 'A' });
    expect(await acts.actsOf('live:event:p')).toEqual([audit]);
  });

  it('shows in a dry run what it would do, and does nothing', async () => {
    const { act, consume, order, rows, row, acts } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }), refund('r', { amount: '40.00' }));
    const before = await row('p');
    const dry = await act('admit', { event_id: 'p', order_id: 'A', dry_run: true });
    expect([await order('A'), await rows('p'), await row('p')]).toEqual([
      undefined,
      { event: ['unassigned', 'unassigned'] },
      before,
    ]);
    expect(await acts.actsOf('live:event:p')).toEqual([]);
    const run = await act('admit', { event_id: 'p', order_id: 'A' });
    const { dry_run, at, ...shown } = dry.body;
    expect({ ...run.body, dry_run: true, at }).toEqual({ ...shown, dry_run, at });
  });

  it('changes nothing when it is repeated', async () => {
    const { act, consume, order, acts } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    const first = await act('admit', { event_id: 'p', order_id: 'A' });
    const again = await act('admit', { event_id: 'p', order_id: 'A' }, bob);
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...first.body, changed: false, events: [], orders: [] });
    expect(await order('A')).toMatchObject({ sequence: 1 });
    expect(await acts.actsOf('live:event:p')).toHaveLength(1);
  });

  it('counts an event without a transaction id in one order, when two operators name two', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(sent({ id: 'p', transaction: null }));
    const [one, other] = await Promise.all([
      act('admit', { event_id: 'p', order_id: 'A' }, ann),
      act('admit', { event_id: 'p', order_id: 'B' }, bob),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    const orders = [await order('A'), await order('B')];
    expect(orders.filter((found) => found !== undefined)).toHaveLength(1);
    const late = await act('admit', { event_id: 'p', order_id: 'C' });
    expect(late.status).toBe(409);
    expect(late.body.detail).toMatch(
      /was admitted under the order "[AB]" by arn:aws:iam::1:user\/(ann|bob) at/,
    );
    expect(await order('C')).toBeUndefined();
  });

  it('does not take a transaction away from the order of a payment that came meanwhile', async () => {
    const { act, consume, order, rows, transactions } = await setUpOperator({
      backend,
      parts: ({ judgements }) => ({
        judgements: {
          ...judgements,
          async judge(change) {
            const isJudged = await judgements.judge(change);
            if (change.judged?.verdict === 'admitted') await consume(sent({ id: 'p', order: 'A' }));
            return isJudged;
          },
        },
      }),
    });
    await consume(refund('r'));
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' });
    expect(status).toBe(409);
    expect(body.detail).toBe(
      'The transaction "T" belongs to the order "A", which gets its events. ' +
        'Look at the event again: it may be applied there by now.',
    );
    expect((await transactions.get('live', 'T')).orderIds).toEqual(['A']);
    expect(await order('B')).toBeUndefined();
    expect(await order('A')).toMatchObject({ status: 'refunded', attention: [], events: ['p', 'r'] });
    expect(await rows('r')).toEqual({ event: ['applied', null] });
  });

  it('finds an event that its payment has applied meanwhile, and does not count it twice', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(refund('r'));
    await consume(sent({ id: 'p', order: 'A' }));
    const before = await order('A');
    for (const fields of [{ event_id: 'r' }, { event_id: 'r', order_id: 'A' }]) {
      const { status, body } = await act('admit', fields);
      expect([status, body.changed, body.orders]).toEqual([200, false, []]);
    }
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' });
    expect(status).toBe(409);
    expect(body.detail).toContain('it is applied to the order "A"');
    expect([await order('A'), await order('B')]).toEqual([before, undefined]);
  });

  it('needs the order of an event that names none', async () => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    const { status, body } = await act('admit', { event_id: 'p' });
    expect([status, body.parameter]).toEqual([400, 'order_id']);
  });

  it('puts both bodies of a conflict into its order, where one counts', async () => {
    const { act, consume, order, row } = await setUpOperator({ backend });
    await consume(sent({ id: 'e', order: 'A' }));
    await consume(sent({ id: 'e', order: 'B', transaction: 'U', amount: '70.00' }));
    expect(await order('B')).toMatchObject({ status: 'pending', events: [] });
    const { body } = await act('admit', { event_id: 'e' });
    const { bodySha256 } = await row('e', 'conflict');
    expect(body.events).toEqual([
      {
        event_id: 'e',
        body_sha256: bodySha256,
        before: { outcome: 'conflict', waiting: 'conflict' },
        after: { outcome: 'conflict', waiting: null },
      },
    ]);
    expect(body.orders).toEqual([
      {
        order_id: 'B',
        before: { status: 'pending', attention: ['conflicting_event'], transactions: [], sequence: 1 },
        after: {
          status: 'paid',
          attention: ['conflicting_event'],
          transactions: [{ ...paidT, id: 'U', amount: '70.00' }],
          sequence: 2,
        },
      },
    ]);
    expect(await order('A')).toMatchObject({ status: 'paid', events: ['e'] });
  });

  it('leaves an order as it is when the fold counts both bodies of a conflict already', async () => {
    const { act, consume, order, rows } = await setUpOperator({ backend });
    await consume(sent({ id: 'e', order: 'A' }), sent({ id: 'e', order: 'A', amount: '70.00' }));
    const before = await order('A');
    const { status, body } = await act('admit', { event_id: 'e' });
    expect([status, body.changed, body.orders]).toEqual([200, true, []]);
    expect(await order('A')).toEqual(before);
    expect(await rows('e')).toEqual({ event: ['applied', null], conflict: ['conflict', null] });
  });

  it('asks for the body when several wait under one id', async () => {
    const { act, consume, row } = await setUpOperator({ backend });
    await consume(sent({ id: 'e', order: 'A' }));
    await consume(sent({ id: 'e', order: 'B', transaction: 'U' }));
    await consume(sent({ id: 'e', order: 'C', transaction: 'V' }));
    const { status, body } = await act('admit', { event_id: 'e' });
    expect([status, body.parameter]).toEqual([400, 'body_sha256']);
    const { bodySha256, orderId } = await row('e', 'conflict');
    expect(body.detail).toContain(bodySha256);
    const admitted = await act('admit', { event_id: 'e', body_sha256: bodySha256 });
    expect(admitted.body.orders).toMatchObject([{ order_id: orderId, after: { status: 'paid' } }]);
  });
});

describe('an admission of a conflict that follows its transaction', () => {
  it('reads the rows of its event once, and no order before the transaction has one', async () => {
    const read: (string | undefined)[] = [];
    const { act, consume, row, rows } = await setUpOperator({
      parts: ({ events, orders }) => ({
        events: { ...events, findBody: () => Promise.reject(new Error('a second read')) },
        orders: {
          ...orders,
          get(order) {
            read.push(order.id);
            return orders.get(order);
          },
        },
      }),
    });
    await consume(refund('r'), refund('r', { amount: '70.00' }));
    const { bodySha256 } = await row('r', 'conflict');
    expect((await act('admit', { event_id: 'r', body_sha256: bodySha256 })).status).toBe(200);
    expect(await rows('r')).toEqual({ event: ['unassigned', 'unassigned'], conflict: ['conflict', null] });
    expect(read).toEqual([]);
  });
});
