import { describe, expect, it } from 'vitest';
import { delivered, setUpConsumer } from '../../doubles/consumer.ts';
import { payment, refund, sent } from '../../doubles/event-body.ts';

/** What a payment and its refund leave. */
const applied = { status: 'partially_refunded', attention: [], events: ['p', 'r'] };

describe('a refund that names no order', () => {
  it('waits until its payment arrives, which takes it to its order', async () => {
    const { deliver, states, order, row } = await delivered([refund]);
    expect(states('r')).toEqual({ event: 'unassigned, waits as unassigned' });
    await deliver(payment);
    expect(order('A')).toEqual({ ...applied, sequence: 1 });
    expect(row('r')).toMatchObject({ assignedOrderIds: ['A'], version: 1 });
    expect(states('r')).toEqual({ event: 'applied' });
  });

  it.each([
    ['after its payment', [[payment], [refund]], 2],
    ['in a batch with its payment', [[payment, refund]], 1],
    ['in a batch before its payment', [[refund, payment]], 1],
  ])('goes to the order of its payment when it comes %s', async (_, batches, sequence) => {
    const { consume, order, row } = setUpConsumer();
    for (const batch of batches) expect(await consume(...batch)).toEqual([]);
    expect(order('A')).toEqual({ ...applied, sequence });
    expect(row('r')).toMatchObject({ outcome: 'applied', assignedOrderIds: ['A'] });
  });

  it('goes there although another actor changes its row meanwhile', async () => {
    const { deliver, row, states, tables } = setUpConsumer({
      async gate({ name }) {
        if (name === 'settle') tables.events.set('live:event:r\nevent', { ...row('r'), version: 1 });
      },
    });
    await deliver(payment, refund);
    expect(states('r')).toEqual({ event: 'applied' });
  });
});

it('an event without effect on money that names an order leaves no trace in its transaction', async () => {
  const { entriesOf, order } = await delivered([sent({ id: 'n', action: 'note', order: 'A' })]);
  expect(entriesOf('T')).toEqual([]);
  expect(order('A')).toMatchObject({ status: 'pending', events: ['n'] });
});

it('a first delivery reads no other event, unless it is a payment that takes some along', async () => {
  const { consume } = setUpConsumer({ failing: 'bodiesOf' });
  const others = ['failed', 'note', 'refunded'].map((action) => sent({ id: action, action, order: 'A' }));
  for (const message of [refund, sent({ id: 'orderless' }), ...others])
    expect(await consume(message)).toEqual([]);
  expect(await consume(payment)).toEqual(['p']);
});

describe('the row of a transaction', () => {
  it('has an entry for each event about money, and the fact of one that names no order', async () => {
    const failure = sent({ id: 'f', action: 'failed', order: 'A' });
    const { entriesOf } = await delivered([payment, refund, failure]);
    expect(entriesOf('T')).toEqual([
      ['order', 'failed', 'f', 'A'],
      ['order', 'paid', 'p', 'A'],
      ['refunded', 'r', 'transaction.refunded', 'T', '40.00', 'USD', null, 'transaction'],
    ]);
  });

  it('takes 50 entries; a refund beyond them waits, and the next payment is applied', async () => {
    const refunds = Array.from({ length: 51 }, (_, n) => sent({ id: `r${n}`, action: 'refunded' }));
    const { entriesOf, states, order } = await delivered([...refunds, payment]);
    expect(entriesOf('T')).toHaveLength(50);
    expect(states('r50')).toEqual({ event: 'unassigned, waits as unassigned' });
    expect(order('A')).toMatchObject({ status: 'paid', events: ['p'] });
  });
});
