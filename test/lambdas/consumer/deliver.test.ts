import { describe, expect, it } from 'vitest';
import { setUpConsumer } from '../../doubles/consumer.ts';
import { sent } from '../../doubles/event-body.ts';

const payment = sent({ id: 'p', order: 'A' });
const refund = sent({ id: 'r', action: 'refunded', amount: '40.00' });
/** What every event of the transaction T leaves. */
const applied = { status: 'partially_refunded', attention: [], events: ['p', 'r'] };

/** Delivers the messages one after the other, each in its own batch. */
async function delivered(...messages: ReturnType<typeof sent>[]) {
  const consumer = setUpConsumer();
  for (const message of messages) expect(await consumer.consume(message)).toEqual([]);
  return consumer;
}

describe('a refund that names no order', () => {
  it('waits until its payment arrives, which takes it to its order', async () => {
    const { consume, states, order, row } = await delivered(refund);
    expect(states('r')).toEqual({ event: 'unassigned, waits as unassigned' });
    await consume(payment);
    expect(order('A')).toEqual({ ...applied, sequence: 1 });
    expect(row('r')).toMatchObject({ outcome: 'applied', assignedOrderIds: ['A'], version: 1 });
    expect(states('r')).toEqual({ event: 'applied' });
  });

  it('goes to the order of the payment that came before it', async () => {
    const { order, row } = await delivered(payment, refund);
    expect(order('A')).toEqual({ ...applied, sequence: 2 });
    expect(row('r')).toMatchObject({ outcome: 'applied', assignedOrderIds: ['A'] });
  });

  it('goes there although another actor changes its row meanwhile', async () => {
    const { consume, row, states, tables } = setUpConsumer({
      async gate({ name }) {
        if (name === 'settle') tables.events.set('live:event:r\nevent', { ...row('r'), version: 1 });
      },
    });
    expect([await consume(payment), await consume(refund)]).toEqual([[], []]);
    expect(states('r')).toEqual({ event: 'applied' });
  });

  it.each([
    ['before', [refund, payment]],
    ['after', [payment, refund]],
  ])('is in its order when one batch holds it %s its payment', async (_, messages) => {
    const { consume, order, row } = setUpConsumer();
    expect(await consume(...messages)).toEqual([]);
    expect(order('A')).toEqual({ ...applied, sequence: 1 });
    expect(row('r')).toMatchObject({ outcome: 'applied', assignedOrderIds: ['A'] });
  });
});

it('a refund without an order is in both orders of a transaction that is paid in two, which are marked', async () => {
  const { order, row } = await delivered(payment, refund, sent({ id: 'p2', order: 'B' }));
  expect(row('r').assignedOrderIds).toEqual(['A', 'B']);
  expect(order('B')?.events).toEqual(['p2', 'r']);
  for (const id of ['A', 'B']) expect(order(id)?.attention).toContain('transaction_in_two_orders');
});

describe('an event without effect on money', () => {
  const note = sent({ id: 'n', action: 'note' });

  it('that names no order is recorded, and in the order of its payment once that arrives', async () => {
    const { consume, states, order } = await delivered(note);
    expect(states('n')).toEqual({ event: 'recorded' });
    await consume(payment);
    expect(states('n')).toEqual({ event: 'applied' });
    expect(order('A')).toMatchObject({ status: 'paid', events: ['n', 'p'] });
  });

  it('that names an order leaves no trace in its transaction', async () => {
    const { entriesOf, order } = await delivered(sent({ id: 'n', action: 'note', order: 'A' }));
    expect(entriesOf('T')).toEqual([]);
    expect(order('A')).toMatchObject({ status: 'pending', events: ['n'] });
  });
});

describe('the row of a transaction', () => {
  it('has an entry for each event about money, and the fact of one that names no order', async () => {
    const { entriesOf } = await delivered(
      payment,
      refund,
      sent({ id: 'f', action: 'failed', order: 'A' }),
      sent({ id: 'n', action: 'note', order: 'A' }),
    );
    expect(entriesOf('T')).toEqual([
      ['order', 'failed', 'f', 'A'],
      ['order', 'paid', 'p', 'A'],
      ['refunded', 'r', 'transaction.refunded', 'T', '40.00', 'USD', null, 'transaction'],
    ]);
  });

  it('does not exist for an event that names none', async () => {
    const { tables, order } = await delivered(sent({ id: 'p', order: 'A', transaction: null }));
    expect(tables.transactions.size).toBe(0);
    expect(order('A')?.status).toBe('paid');
  });

  it('takes 50 entries; a refund beyond them waits, and the next payment is applied', async () => {
    const { consume, entriesOf, states, order } = setUpConsumer();
    const refunds = Array.from({ length: 51 }, (_, n) => sent({ id: `r${n}`, action: 'refunded' }));
    for (const message of refunds) await consume(message);
    expect(entriesOf('T')).toHaveLength(50);
    expect(await consume(payment)).toEqual([]);
    expect(states('r50')).toEqual({ event: 'unassigned, waits as unassigned' });
    expect(order('A')).toMatchObject({ status: 'paid', events: ['p'] });
  });
});

describe('events about money of one transaction that name two orders', () => {
  const other = sent({ id: 'r', action: 'refunded', order: 'B', amount: '40.00' });

  it.each([
    ['a payment and then a refund', [payment, other]],
    ['a refund and then a payment', [other, payment]],
  ])('mark both orders: %s', async (_, messages) => {
    const { order } = await delivered(...messages);
    expect(order('A')).toMatchObject({ status: 'paid', attention: ['transaction_in_two_orders'] });
    expect(order('B')?.attention).toEqual(['refund_without_payment', 'transaction_in_two_orders']);
  });

  it('mark neither when one of them has no effect on money', async () => {
    const { order } = await delivered(payment, sent({ id: 'n', action: 'note', order: 'B' }));
    expect([order('A')?.attention, order('B')?.attention]).toEqual([[], []]);
  });
});
