import { paidEvent, refundedEvent, type SampleEvent } from '@payhooks/payment-service/simulator';
import { both, type Experiment } from './experiment.ts';
import { seeNoOrder, seeOrder } from './sights.ts';

const money = { group: 'money', disturbs: false, alarm: null } as const;
const sameTransaction = ({ payload }: SampleEvent) => ({ transactionId: payload.transaction.id });

/** What payments and refunds do to an order. */
export const moneyExperiments: readonly Experiment[] = [
  {
    ...money,
    name: 'paid',
    title: 'Paid',
    does: 'Sends a payment of 49.90 USD for a new order.',
    expected: 'The order is paid, and nothing needs attention.',
    guarantee: 'A webhook gets 2xx only once it is stored.',
    async run(bench) {
      await bench.send(paidEvent({ orderId: bench.orderId, amount: '49.90' }));
      return seeOrder(bench, { status: 'paid', events: 1 });
    },
  },
  {
    ...money,
    name: 'partial-refund',
    title: 'Partial refund',
    does: 'Sends a payment of 80.00 USD, then a refund of 30.00 USD of the same transaction.',
    expected: 'The order is partially refunded.',
    guarantee: 'Amounts are compared as decimals: only refunds that reach the payment refund the order.',
    async run(bench) {
      const { orderId } = bench;
      const payment = paidEvent({ orderId, amount: '80.00' });
      await bench.send(payment);
      await bench.send(refundedEvent({ orderId, amount: '30.00', ...sameTransaction(payment) }));
      return seeOrder(bench, { status: 'partially_refunded', events: 2 });
    },
  },
  {
    ...money,
    name: 'refund',
    title: 'Refund',
    does: 'Sends a payment of 100.00 USD, then its refund in full.',
    expected: 'The order is refunded.',
    guarantee: 'The state of an order follows from its events alone, and the order page shows how.',
    async run(bench) {
      const { orderId } = bench;
      const payment = paidEvent({ orderId });
      await bench.send(payment);
      await bench.send(refundedEvent({ orderId, ...sameTransaction(payment) }));
      return seeOrder(bench, { status: 'refunded', events: 2 });
    },
  },
  {
    ...money,
    name: 'duplicate',
    title: 'Duplicate',
    does: 'Sends the same payment three times, byte for byte.',
    expected: 'Each gets 2xx, and the order is paid by one event.',
    guarantee: 'Nothing counts twice, however often it is delivered.',
    async run(bench) {
      const payment = paidEvent({ orderId: bench.orderId });
      const deliveries = [await bench.send(payment), await bench.send(payment), await bench.send(payment)];
      const accepted = deliveries.filter(({ state }) => state === 'delivered').length;
      const sent = { asExpected: accepted === 3, seen: `${accepted} of 3 got 2xx.` };
      return both(sent, await seeOrder(bench, { status: 'paid', events: 1 }));
    },
  },
  {
    ...money,
    name: 'refund-first',
    title: 'Refund first',
    does: 'Sends a refund of 25.00 USD, and its payment after it.',
    expected: 'The order is marked while the payment is missing, and ends as refunded without a mark.',
    guarantee: 'The order of arrival never changes where an order ends.',
    async run(bench) {
      const { orderId } = bench;
      const payment = paidEvent({ orderId, amount: '25.00' });
      await bench.send(refundedEvent({ orderId, amount: '25.00', ...sameTransaction(payment) }));
      const attention = ['refund_without_payment'] as const;
      const marked = await seeOrder(bench, { status: 'refunded', attention: [...attention], events: 1 });
      await bench.send(payment);
      return both(marked, await seeOrder(bench, { status: 'refunded', events: 2 }));
    },
  },
  {
    ...money,
    name: 'double-charge',
    title: 'Double charge',
    does: 'Sends two payments of 45.00 USD, each with its own transaction, for one order.',
    expected: 'The order is paid and marked as a possible double charge.',
    guarantee: 'Doubtful money is marked for a person; it is never corrected by itself.',
    async run(bench) {
      const { orderId } = bench;
      await bench.send(paidEvent({ orderId, amount: '45.00' }));
      await bench.send(paidEvent({ orderId, amount: '45.00' }));
      return seeOrder(bench, { status: 'paid', attention: ['multiple_paid_transactions'], events: 2 });
    },
  },
  {
    ...money,
    name: 'sandbox',
    title: 'Sandbox',
    does: 'Sends a sandbox payment, signed with the sandbox key.',
    expected: 'The order is paid in the sandbox; among the live orders it does not exist.',
    guarantee: 'Live and sandbox never meet: the key that matched decides the mode.',
    async run(bench) {
      await bench.send(paidEvent({ orderId: bench.orderId, sandbox: true }), { signer: 'sandbox' });
      const paid = await seeOrder(bench, { status: 'paid', events: 1, mode: 'sandbox' });
      return both(paid, await seeNoOrder(bench));
    },
  },
];
