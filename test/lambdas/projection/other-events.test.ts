import { expect, it } from 'vitest';
import type { fitsOrderItem } from '../../../lambdas/contract/order-item.ts';
import { fullFact } from '../../../lambdas/domain/fact.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';
import { operatorAfter } from '../../doubles/operations.ts';
import { sqsEvent } from '../../doubles/sqs-event.ts';

// What a payment means for the events of its transaction that name no order, and that are not delivered again.
const otherRefund = sent({ id: 'r', action: 'refunded', amount: '20.00' });
const paymentOfB = sent({ id: 'q', order: 'B' });
const kept = { eventRetentionDays: 14 };

const withRoomFor =
  (order: string, facts: number): typeof fitsOrderItem =>
  ({ id }, all) =>
    id !== order || all.filter((text) => text !== fullFact && !text.startsWith('["shared"')).length <= facts;

it('a refund that the full order of its payment refused keeps its body, also when it was applied before', async () => {
  const { consume, row } = await operatorAfter([payment, refund], { ...kept, fits: withRoomFor('B', 1) });
  expect(row('r').bodyRow).toMatchObject({ expiresAt: expect.any(Number) });
  await consume(sent({ id: 'u', order: 'B', transaction: 'U' }), paymentOfB);
  expect([row('r').waiting, row('r').bodyRow]).toEqual(['order_refused', {}]);
});

it('both bodies of a refund wait again, and are kept, when its payment is read with another transaction', async () => {
  const { act, reread, row, states, factsOf } = await operatorAfter([payment, refund, otherRefund], kept);
  await act('admit', { event_id: 'r', body_sha256: row('r', 'conflict').bodySha256 });
  reread('p', { transactionId: 'T2' });
  await act('replay', { event_id: 'p' });
  const waits = 'unassigned, waits as unassigned';
  expect(states('r')).toEqual({ event: waits, conflict: waits });
  expect([row('r').bodyRow, row('r', 'conflict').bodyRow, factsOf('A').length]).toEqual([{}, {}, 1]);
});

it('a body is kept when it is judged after the retention of bodies has ended', async () => {
  const { act, row, settings } = await operatorAfter([refund], kept);
  settings.eventRetentionDays = undefined;
  await act('dismiss', { event_id: 'r' });
  expect([row('r').waiting, row('r').bodyRow]).toEqual([undefined, {}]);
});

it('a refund leaves an order of which its transaction has no entry any more', async () => {
  const { act, row, order, tables } = await operatorAfter([payment, refund, paymentOfB]);
  for (const [key, { entries, ...rest }] of tables.transactions)
    tables.transactions.set(key, { ...rest, entries: entries.filter((entry) => !entry.includes('"B"')) });
  await act('replay', { event_id: 'p', readings: 'stored' });
  expect([row('r').assignedOrderIds, order('A')?.events, order('B')?.events]).toEqual([
    ['A'],
    ['p', 'r'],
    ['q'],
  ]);
});

it('a refund with more bodies than a repair handles follows the payment of its transaction', async () => {
  const bodies = Array.from({ length: 50 }, (_, n) =>
    sent({ id: 'r', action: 'refunded', order: `${n}`, sandbox: true }),
  );
  const { consumeBatch, row, wait } = await operatorAfter([refund, ...bodies]);
  for (let delivery = 0; delivery < 2; delivery += 1) {
    await consumeBatch(sqsEvent(payment));
    wait(3600);
  }
  expect(row('r')).toMatchObject({ outcome: 'applied', assignedOrderIds: ['A'] });
});

it('a body that two rows name is kept while one of them waits', async () => {
  const quarantined = sent({ id: 'e', action: 'refunded', sandbox: true });
  const { act, row, verify } = await operatorAfter([quarantined], kept);
  await act('admit', { event_id: 'e' });
  expect([row('e').waiting, row('e').bodyRow]).toEqual(['unassigned', {}]);
  expect(row('e', 'quarantine').bodyRow).toEqual({});
  expect(await verify()).toEqual([]);
});

it('the mark of a transaction with more events than its row holds stays', async () => {
  const first = sent({ id: 'p', order: 'X', amount: '1000.00' });
  const refunds = Array.from({ length: 49 }, (_, n) =>
    sent({ id: `r${n}`, action: 'refunded', order: 'X', amount: '1.00' }),
  );
  const last = sent({ id: 'q', order: 'Z', amount: '5.00' });
  const { consume, order, verify, wait } = await operatorAfter([first, ...refunds, last]);
  wait(3600);
  await consume(first);
  for (const id of ['X', 'Z']) expect(order(id)?.attention).toContain('transaction_in_two_orders');
  expect(await verify()).toEqual([]);
});

it('a repair reads no order that only bodies in quarantine of other events name', async () => {
  const ids = ['r1', 'r2', 'r3'];
  const messages = ids.flatMap((id) => {
    const fields = { id, action: 'refunded', amount: '10.00' };
    const orders = Array.from({ length: 40 }, (_, n) => `${id} ${n}`);
    const bodies = orders.flatMap((order) => [
      sent({ id: order, order, transaction: order }),
      sent({ ...fields, order, sandbox: true }),
    ]);
    return [sent(fields), ...bodies];
  });
  const { states } = await operatorAfter([...messages, payment]);
  for (const id of ids) expect(states(id)).toMatchObject({ event: 'applied' });
});
