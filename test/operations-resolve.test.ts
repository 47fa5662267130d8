import { describe, expect, it } from 'vitest';
import { parseFact } from '../lambdas/domain/fact.ts';
import { PermanentStoreError } from '../lambdas/ports/stores.ts';
import { type EventFields, eventBody } from './doubles/event-body.ts';
import { type Backend, setUpOperator } from './doubles/operator.ts';

const ann = 'arn:aws:iam::1:user/ann';
const sent = (fields: EventFields) => ({ body: eventBody({ order: 'A', ...fields }) });
/** Two payments, one of them disputed. */
const doubtful = [
  sent({ id: 'p' }),
  sent({ id: 'q', transaction: 'U' }),
  sent({ id: 'd', transaction: 'U', action: 'disputed' }),
];
const both = ['multiple_paid_transactions', 'disputed'];

describe.each<Backend>(['memory', 'tables'])('a resolution over %s', (backend) => {
  it('ends an attention, names who, when and why, and moves no money', async () => {
    const { act, consume, order, orders } = await setUpOperator({ backend });
    await consume(...doubtful);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 3, attention: ['disputed'] });
    expect([status, body.changed, body.by, body.events]).toEqual([200, true, ann, []]);
    const [{ before, after }] = body.orders;
    expect([before.attention, after.attention]).toEqual([both, ['multiple_paid_transactions']]);
    expect([after.status, after.transactions]).toEqual([before.status, before.transactions]);
    expect(await order('A')).toMatchObject({ status: 'paid', attention: ['multiple_paid_transactions'] });
    const facts = (await orders.get({ mode: 'live', id: 'A' }))?.facts.map(parseFact) ?? [];
    expect(facts.filter(({ kind }) => kind === 'resolved')).toEqual([
      {
        kind: 'resolved',
        attention: 'disputed',
        judgedSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        by: ann,
        at: '2026-11-22T09:00:00.000Z',
        reason: 'checked with the customer',
      },
    ]);
  });

  it('ends every attention at once when it names none, and changes nothing when it is repeated', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(...doubtful);
    expect((await act('resolve', { order_id: 'A', sequence: 3 })).body.changed).toBe(true);
    expect(await order('A')).toMatchObject({ attention: [], sequence: 5 });
    for (const fields of [{ sequence: 3 }, { sequence: 3, attention: ['disputed'] }, { sequence: 5 }]) {
      const { status, body } = await act('resolve', { order_id: 'A', ...fields });
      expect([status, body.changed, body.orders]).toEqual([200, false, []]);
    }
    expect(await order('A')).toMatchObject({ attention: [], sequence: 5 });
  });

  it('responds to a later resolution with who resolved it first, and why', async () => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(...doubtful);
    const request = { order_id: 'A', sequence: 3, attention: ['disputed'] };
    await act('resolve', { ...request, reason: 'the first reason' });
    expect((await act('resolve', { ...request, reason: 'a later reason' })).body).toMatchObject({
      ...{ changed: false, by: ann, at: '2026-11-22T09:00:00.000Z', reason: 'the first reason' },
    });
  });

  it('of one attention leaves the other to another operator, and each has its own decision', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(...doubtful);
    for (const [n, attention] of both.entries()) {
      const fields = { order_id: 'A', sequence: 3 + n, attention: [attention] };
      expect((await act('resolve', fields, `operator ${n}`)).body).toMatchObject({ changed: true });
    }
    for (const [n, attention] of both.entries()) {
      const fields = { order_id: 'A', sequence: 5, attention: [attention] };
      expect((await act('resolve', fields)).body).toMatchObject({ changed: false, by: `operator ${n}` });
    }
    expect(await order('A')).toMatchObject({ attention: [] });
  });

  it('fails when the order cannot be written', async () => {
    const { act, consume } = await setUpOperator({
      backend,
      parts: ({ orders }) => ({ orders: { ...orders, merge: () => Promise.reject(new Error('down')) } }),
    });
    await consume(...doubtful);
    expect((await act('resolve', { order_id: 'A', sequence: 3 })).status).toBe(500);
  });

  it('lasts until a new fact arrives', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(...doubtful);
    await act('resolve', { order_id: 'A', sequence: 3 });
    await consume(sent({ id: 'r', action: 'refunded', amount: '1.00' }));
    expect(await order('A')).toMatchObject({ attention: both, sequence: 6 });
    expect((await act('resolve', { order_id: 'A', sequence: 6 })).body.changed).toBe(true);
    expect(await order('A')).toMatchObject({ attention: [] });
  });

  it('is refused when the order has changed since the operator saw it', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(...doubtful);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 2 });
    expect([status, body.detail]).toEqual([
      409,
      'The order "A" has the sequence 3 by now, and not 2. Look at it again, and resolve what it lists then.',
    ]);
    expect(await order('A')).toMatchObject({ attention: both, sequence: 3 });
  });

  it('takes no effect on facts that arrive while it is made', async () => {
    const { act, consume, order } = await setUpOperator({
      backend,
      parts: ({ orders }) => ({
        orders: {
          ...orders,
          async merge(merge) {
            await consume(sent({ id: 'late', action: 'failed' }));
            return orders.merge(merge);
          },
        },
      }),
    });
    await consume(...doubtful);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 3 });
    expect([status, body.detail]).toEqual([
      409,
      'The order "A" changed while it was resolved, so its attention stays. ' +
        'Look at it again, and resolve what it lists then.',
    ]);
    expect(await order('A')).toMatchObject({ attention: both });
  });

  it('does nothing in a dry run', async () => {
    const { act, consume, order } = await setUpOperator({ backend });
    await consume(...doubtful);
    const { body } = await act('resolve', { order_id: 'A', sequence: 3, dry_run: true });
    expect([body.changed, body.orders[0].after.attention]).toEqual([true, []]);
    expect(await order('A')).toMatchObject({ attention: both, sequence: 3 });
  });

  it('of an order whose row is full is refused', async () => {
    const { act, consume, order } = await setUpOperator({
      backend,
      parts: ({ orders }) => ({
        orders: { ...orders, merge: () => Promise.reject(new PermanentStoreError('too large')) },
      }),
    });
    await consume(...doubtful);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 3 });
    expect([status, body.detail]).toEqual([
      409,
      'The order "A" is full (too_many_events) and takes no resolution.',
    ]);
    expect(await order('A')).toMatchObject({ attention: both, sequence: 3 });
  });

  it('needs the order and its sequence', async () => {
    const { act } = await setUpOperator({ backend });
    const refusals = [await act('resolve', { sequence: 3 }), await act('resolve', { order_id: 'A' })];
    expect(refusals.map(({ body }) => body.detail)).toEqual([
      'The field order_id is missing; expected the order.',
      'The field sequence is missing; expected the sequence of the order that you saw.',
    ]);
  });

  it.each([
    [
      'attentions that the order does not list',
      { attention: ['currency_mixed', 'conflicting_event'] },
      409,
      'currency_mixed, conflicting_event cannot be resolved: ' +
        'the order "A" lists multiple_paid_transactions, disputed.',
    ],
    [
      'an attention that does not exist',
      { attention: ['everything'] },
      400,
      expect.stringMatching(/^The field attention is "everything"; expected names among \w+, \w+/),
    ],
    [
      'an order without the sequence that was seen',
      { sequence: undefined },
      400,
      'The field sequence is missing; expected the sequence of the order that you saw.',
    ],
    [
      'an order that no event has named',
      { order_id: 'none' },
      404,
      'No live event has named the order "none".',
    ],
    [
      'the attention of a full order',
      { attention: ['too_many_events'] },
      409,
      'The order "A" is full: too_many_events cannot be resolved, because later events leave no fact ' +
        'that would list it again. The events that did not fit wait as order_refused.',
    ],
  ])('of %s is refused', async (_, fields, expected, detail) => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(...doubtful);
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 3, ...fields });
    expect([status, body.detail]).toEqual([expected, detail]);
    if (expected === 409) expect(body.title).toBe('Conflict');
  });

  it('of an order without attention is refused', async () => {
    const { act, consume } = await setUpOperator({ backend });
    await consume(sent({ id: 'p' }));
    const { status, body } = await act('resolve', { order_id: 'A', sequence: 1 });
    expect([status, body.detail]).toEqual([
      409,
      'Nothing is to be resolved: the order "A" lists no attention.',
    ]);
  });
});
