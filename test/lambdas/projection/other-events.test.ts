import { describe, expect, it } from 'vitest';
import type { fitsOrderItem } from '../../../lambdas/contract/order-item.ts';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { type EventFields, eventBody } from '../../doubles/event-body.ts';
import { setUpOperator } from '../../doubles/operations.ts';

// What a payment means for the events of its transaction that name no order, and that are not delivered again.
const sent = (fields: EventFields) => ({ body: eventBody(fields), messageId: fields.id });
const refund = sent({ id: 'r', action: 'refunded', amount: '10.00' });
const otherRefund = sent({ id: 'r', action: 'refunded', amount: '20.00' });
const payment = sent({ id: 'p', order: 'A' });

const withRoomFor =
  (order: string, facts: number): typeof fitsOrderItem =>
  ({ id }, all) =>
    id !== order || all.filter((text) => text !== fullFact && !text.startsWith('["shared"')).length <= facts;

describe('a refund that the full order of its payment refused', () => {
  it('still waits after a payment of its transaction for another order', async () => {
    const { consume, row, order, verify } = setUpOperator({ fits: withRoomFor('A', 2) });
    const other = sent({ id: 'o', order: 'A', transaction: 'U' });
    await consume(other, payment, refund, sent({ id: 'q', order: 'B' }));
    expect(row('r')).toMatchObject({ outcome: 'quarantined', waiting: 'order_refused' });
    expect(order('B')?.events).toEqual(['q', 'r']);
    expect(await verify()).toEqual([]);
  });

  it('keeps its body, also when it was applied before', async () => {
    const { consume, row } = setUpOperator({ fits: withRoomFor('B', 1), eventRetentionDays: 14 });
    await consume(payment, refund);
    expect(row('r').bodyRow).toMatchObject({ expiresAt: expect.any(Number) });
    await consume(sent({ id: 'u', order: 'B', transaction: 'U' }), sent({ id: 'q', order: 'B' }));
    expect([row('r').waiting, row('r').bodyRow]).toEqual(['order_refused', {}]);
  });
});

describe('a refund whose payment comes later', () => {
  it('has its order, and with a retention its body begins to expire', async () => {
    const { consume, row } = setUpOperator({ eventRetentionDays: 14 });
    await consume(refund);
    expect(row('r').bodyRow).toEqual({});
    await consume(payment);
    expect(row('r')).toMatchObject({ outcome: 'applied', bodyRow: { expiresAt: expect.any(Number) } });
  });

  it('has its order with both bodies that count', async () => {
    const { act, consume, row, states, verify } = setUpOperator();
    await consume(refund, otherRefund);
    await act('admit', { event_id: 'r', body_sha256: row('r', 'conflict').bodySha256 });
    await consume(payment);
    expect(states('r')).toEqual({ event: 'applied', conflict: 'applied' });
    expect(await verify()).toEqual([]);
  });
});

describe('a refund whose payment is read with another transaction', () => {
  it('waits again with both bodies that count, and keeps them', async () => {
    const { act, consume, reread, row, states, factsOf } = setUpOperator({ eventRetentionDays: 14 });
    await consume(payment, refund, otherRefund);
    await act('admit', { event_id: 'r', body_sha256: row('r', 'conflict').bodySha256 });
    reread('p', { transactionId: 'T2' });
    await act('replay', { event_id: 'p' });
    const waits = 'unassigned, waits as unassigned';
    expect(states('r')).toEqual({ event: waits, conflict: waits });
    expect([row('r').bodyRow, row('r', 'conflict').bodyRow, factsOf('A').length]).toEqual([{}, {}, 1]);
  });
});

it('a body that two rows name is kept while one of them waits', async () => {
  const { act, consume, row, verify } = setUpOperator({ eventRetentionDays: 14 });
  await consume(sent({ id: 'e', action: 'refunded', sandbox: true }));
  await act('admit', { event_id: 'e' });
  expect([row('e').waiting, row('e').bodyRow]).toEqual(['unassigned', {}]);
  expect(row('e', 'quarantine').bodyRow).toEqual({});
  expect(await verify()).toEqual([]);
});

it('the mark of a transaction with more events than its row holds stays', async () => {
  const { consume, order, verify, wait } = setUpOperator();
  await consume(sent({ id: 'p', order: 'X', amount: '1000.00' }));
  for (let n = 0; n < 49; n += 1)
    await consume(sent({ id: `r${n}`, action: 'refunded', order: 'X', amount: '1.00' }));
  await consume(sent({ id: 'q', order: 'Z', amount: '5.00' }));
  wait(3600);
  await consume(sent({ id: 'p', order: 'X', amount: '1000.00' }));
  for (const id of ['X', 'Z']) expect(order(id)?.attention).toContain('transaction_in_two_orders');
  expect(await verify()).toEqual([]);
});

it.each([undefined, 14])(
  'a body in quarantine still waits when the payment of its event comes again, with a retention of %s days',
  async (eventRetentionDays) => {
    const { consume, row, states, verify } = setUpOperator({ eventRetentionDays });
    await consume(refund, sent({ id: 'r', action: 'refunded', amount: '10.00', sandbox: true }), payment);
    const quarantined = row('r', 'quarantine');
    await consume(payment);
    expect(states('r')).toEqual({ event: 'applied', quarantine: 'quarantined, waits as quarantined' });
    expect(row('r', 'quarantine')).toEqual(quarantined);
    expect(await verify()).toEqual([]);
  },
);

it('a repair reads no order that only bodies in quarantine of other events name', async () => {
  const { consume, states } = setUpOperator();
  for (const id of ['r1', 'r2', 'r3']) {
    const fields = { id, action: 'refunded', amount: '10.00' };
    await consume(sent(fields));
    for (let n = 0; n < 40; n += 1) {
      const order = `${id} ${n}`;
      await consume(
        sent({ id: order, order, transaction: order }),
        sent({ ...fields, order, sandbox: true }),
      );
    }
  }
  await consume(payment);
  for (const id of ['r1', 'r2', 'r3']) expect(states(id)).toMatchObject({ event: 'applied' });
});
