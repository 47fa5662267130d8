import { describe, expect, it } from 'vitest';
import { type EventFields, sent } from '../../doubles/event-body.ts';
import { ann, bob, reason, setUpOperator } from '../../doubles/operations.ts';

const refund = (id: string, more: Partial<EventFields> = {}) =>
  sent({ id, action: 'refunded', amount: '40.00', ...more });
const applied = { event: 'applied' };

describe('an admission of an event without an order', () => {
  it('gives the event, and all that waits for its transaction, the order', async () => {
    const { act, consume, order, states, row, actsAt } = setUpOperator();
    await consume(sent({ id: 'p' }), refund('r'));
    const { status, body } = await act('admit', { event_id: 'p', order_id: 'A' });
    const transaction = {
      id: 'T',
      status: 'partially_refunded',
      amount: '100.00',
      currency: 'USD',
      created_at: null,
    };
    expect(status).toBe(200);
    expect(body).toEqual({
      ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: ann, reason },
      at: '2026-11-21T11:00:01.000Z',
      events: ['p', 'r'].map((id) => ({
        ...{ event_id: id, body_sha256: row(id).bodySha256 },
        before: { outcome: 'unassigned', waiting: 'unassigned' },
        after: { outcome: 'applied', waiting: null },
      })),
      orders: [
        {
          ...{ order_id: 'A', before: null },
          after: { status: 'partially_refunded', attention: [], transactions: [transaction], sequence: 1 },
        },
      ],
    });
    expect(order('A')).toMatchObject({ status: 'partially_refunded', events: ['p', 'r'], sequence: 1 });
    expect([states('p'), states('r')]).toEqual([applied, applied]);
    const audit = { act: 'admit', by: ann, at: body.at, reason, eventId: 'p', orderId: 'A' };
    expect(await actsAt('live:event:p')).toEqual([audit]);
    expect(await actsAt('live:order:A')).toEqual([audit]);
  });

  it('to a second order is refused, and names who admitted it where, when and why', async () => {
    const { act, consume, order } = setUpOperator();
    await consume(sent({ id: 'p' }));
    await act('admit', { event_id: 'p', order_id: 'A' });
    const { status, body } = await act('admit', { event_id: 'p', order_id: 'B' });
    expect([status, order('B')]).toEqual([409, undefined]);
    expect(body.detail).toBe(
      `The event "p" was admitted under the order "A" by ${ann} at 2026-11-21T11:00:01.000Z ("${reason}"). ` +
        'An admission stays; the order shows what it changed.',
    );
  });

  it('needs the order', async () => {
    const { act, consume } = setUpOperator();
    await consume(sent({ id: 'p' }));
    const { status, body } = await act('admit', { event_id: 'p' });
    expect([status, body.parameter]).toEqual([400, 'order_id']);
  });

  it('stands although the payment of another order arrives, and both orders are marked', async () => {
    const { act, consume, order, row } = setUpOperator();
    await consume(refund('r'));
    await act('admit', { event_id: 'r', order_id: 'A' });
    await consume(sent({ id: 'p', order: 'B' }));
    expect(row('r').assignedOrderIds).toEqual(['A', 'B']);
    for (const id of ['A', 'B']) expect(order(id)?.attention).toContain('transaction_in_two_orders');
  });
});

describe('an admission of what does not wait', () => {
  it('changes nothing for an event that its payment has applied, and is refused for another order', async () => {
    const { act, consume } = setUpOperator();
    await consume(refund('r'), sent({ id: 'p', order: 'A' }));
    for (const fields of [{ event_id: 'r' }, { event_id: 'r', order_id: 'A' }, { event_id: 'p' }]) {
      const { status, body } = await act('admit', fields);
      expect([status, body.changed, body.orders]).toEqual([200, false, []]);
    }
    const { status, body } = await act('admit', { event_id: 'r', order_id: 'B' });
    expect(status).toBe(409);
    expect(body.detail).toContain('does not wait: it is applied to the order "A"');
  });

  it('is refused for an event without effect on money', async () => {
    const { act, consume } = setUpOperator();
    await consume(sent({ id: 'n', action: 'note' }));
    const { status, body } = await act('admit', { event_id: 'n', order_id: 'A' });
    expect([status, body.detail]).toEqual([
      409,
      'The event "n" does not wait: its outcome is recorded. There is nothing to admit.',
    ]);
  });

  it('is refused for the name of an event, which needs a meaning', async () => {
    const { act, consume } = setUpOperator();
    await consume(sent({ id: 'n', action: 'note' }));
    const { status, body } = await act('admit', { event_name: 'transaction.note' });
    expect([status, body.detail.includes('eventMeanings')]).toEqual([409, true]);
  });

  it('is not found under an id or a hash that was never received', async () => {
    const { act, consume } = setUpOperator();
    await consume(sent({ id: 'p', order: 'A' }));
    const hash = 'ab'.repeat(32);
    for (const fields of [{ event_id: 'q' }, { body_sha256: hash }, { event_id: 'p', body_sha256: hash }])
      expect((await act('admit', fields)).status).toBe(404);
    expect((await act('admit', {})).status).toBe(400);
  });
});

it('an admission after a dismissal gives an event without an order its order', async () => {
  const { act, consume, order, row } = setUpOperator();
  await consume(refund('r'));
  await act('dismiss', { event_id: 'r' });
  const { body } = await act('admit', { event_id: 'r', order_id: 'A' }, { by: bob });
  expect(body.events).toMatchObject([
    { before: { outcome: 'unassigned', waiting: null }, after: { outcome: 'applied', waiting: null } },
  ]);
  expect(order('A')?.events).toEqual(['r']);
  expect(row('r').judged).toMatchObject({ verdict: 'admitted', orderId: 'A', by: bob });
});

/** Orders have room for one event, until a test changes it. */
function setUpFull() {
  const room = { factsMax: 1 };
  const fits = (_: unknown, facts: readonly string[]) =>
    facts.filter((fact) => fact !== '["full"]').length <= room.factsMax;
  return { ...setUpOperator({ fits }), room };
}

describe('an admission to a full order', () => {
  it.each([
    ['that it names', refund('r', { order: 'A' }), {}],
    ['that the operator names', refund('r', { transaction: 'U' }), { order_id: 'A' }],
  ])('is refused while the order %s is full, and the event waits on', async (_, message, fields) => {
    const { act, consume } = setUpFull();
    await consume(sent({ id: 'p', order: 'A' }), message);
    const { status, body } = await act('admit', { event_id: 'r', ...fields });
    expect([status, body.detail]).toEqual([
      409,
      'The event "r" stays: the row of the order "A" is full. See too_many_events in the runbook.',
    ]);
  });

  it('counts it once there is room, under its own order only', async () => {
    const { act, consume, order, states, room } = setUpFull();
    await consume(sent({ id: 'p', order: 'A' }), refund('r'));
    room.factsMax = 2;
    expect((await act('admit', { event_id: 'r', order_id: 'B' })).status).toBe(400);
    expect((await act('admit', { event_id: 'r' })).body.changed).toBe(true);
    expect([states('r'), order('A')?.events]).toEqual([applied, ['p', 'r']]);
  });
});
