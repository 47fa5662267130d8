import {
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
} from '@payhooks/payment-service/simulator';
import type { PageTexts, Scenario } from './scenario.ts';
import { type ExpectedOrder, seeNoOrder, seeOrder } from './sights.ts';

interface MoneyScenario extends Omit<PageTexts, 'group'> {
  readonly name: string;
  readonly title: string;
  /** What arrives one after the other, and the order after each. */
  story(orderId: string): readonly (readonly [SampleEvent, ExpectedOrder])[];
}

const refundOf = ({ payload }: SampleEvent, amount = payload.transaction.amount): SampleEvent =>
  refundedEvent({ orderId: payload.transaction.order_id, transactionId: payload.transaction.id, amount });

const stories: readonly MoneyScenario[] = [
  {
    name: 'paid',
    title: 'An order is paid',
    does: 'Sends a payment of 100.00 USD for a new order.',
    expected: 'The order is paid, and nothing needs attention.',
    guarantee: 'A webhook gets 2xx only once it is stored.',
    story: (orderId) => [[paidEvent({ orderId }), { status: 'paid' }]],
  },
  {
    name: 'duplicate',
    title: 'The same notification arrives again',
    does: 'Sends the same payment twice, byte for byte.',
    expected: 'Both get 2xx, and the order is paid by one event.',
    guarantee: 'Nothing counts twice, however often it is delivered.',
    story(orderId) {
      const payment = paidEvent({ orderId });
      return [
        [payment, { status: 'paid' }],
        [payment, { status: 'paid' }],
      ];
    },
  },
  {
    name: 'partial-refund',
    title: 'Part of a payment is refunded',
    does: 'Sends a payment of 80.00 USD, then a refund of 30.00 USD of the same transaction.',
    expected: 'The order is partially refunded.',
    guarantee: 'Amounts are compared as decimals: only refunds that reach the payment refund the order.',
    story(orderId) {
      const payment = paidEvent({ orderId, amount: '80.00' });
      return [
        [payment, { status: 'paid' }],
        [refundOf(payment, '30.00'), { status: 'partially_refunded', events: 2 }],
      ];
    },
  },
  {
    name: 'refund-first',
    title: 'A refund arrives before its payment',
    does: 'Sends a refund of 25.00 USD, and its payment after it.',
    expected: 'The order is marked while the payment is missing, and ends as refunded without a mark.',
    guarantee: 'The order of arrival never changes where an order ends.',
    story(orderId) {
      const payment = paidEvent({ orderId, amount: '25.00' });
      return [
        [refundOf(payment), { status: 'refunded', attention: ['refund_without_payment'] }],
        [payment, { status: 'refunded', events: 2 }],
      ];
    },
  },
  {
    name: 'failed-then-paid',
    title: 'A payment fails, the next one succeeds',
    does: 'Sends a failed payment of 60.00 USD, then a payment with a transaction of its own.',
    expected: 'The order is failed, then paid.',
    guarantee: 'A failure never hides a payment, whichever arrives first.',
    story: (orderId) => [
      [failedEvent({ orderId, amount: '60.00' }), { status: 'failed' }],
      [paidEvent({ orderId, amount: '60.00' }), { status: 'paid', events: 2 }],
    ],
  },
  {
    name: 'double-charge',
    title: 'An order is paid twice',
    does: 'Sends two payments of 45.00 USD, each with its own transaction, for one order.',
    expected: 'The order is paid and marked as a possible double charge.',
    guarantee: 'Doubtful money is marked for a person; it is never corrected by itself.',
    story: (orderId) => [
      [paidEvent({ orderId, amount: '45.00' }), { status: 'paid' }],
      [
        paidEvent({ orderId, amount: '45.00' }),
        { status: 'paid', attention: ['multiple_paid_transactions'], events: 2 },
      ],
    ],
  },
  {
    name: 'disputed',
    title: 'A payment is disputed',
    does: 'Sends a payment of 60.00 USD, then a dispute of its transaction.',
    expected: 'The order stays paid, and is marked.',
    guarantee: 'A dispute moves no money by itself; a person sees it.',
    story(orderId) {
      const payment = paidEvent({ orderId, amount: '60.00' });
      const transactionId = payment.payload.transaction.id;
      return [
        [payment, { status: 'paid' }],
        [
          disputedEvent({ orderId, amount: '60.00', transactionId }),
          { status: 'paid', attention: ['disputed'], events: 2 },
        ],
      ];
    },
  },
  {
    name: 'sandbox',
    title: 'A sandbox payment stays in the sandbox',
    does: 'Sends a sandbox payment, signed with the sandbox key.',
    expected: 'The order is paid in the sandbox; among the live orders it does not exist.',
    guarantee: 'Live and sandbox never meet: the key that matched decides the mode.',
    story: (orderId) => [[paidEvent({ orderId, sandbox: true }), { status: 'paid', mode: 'sandbox' }]],
  },
];

/** What payments and refunds do to an order. */
export const moneyScenarios = stories.map(
  ({ name, title, story, ...page }): Scenario => ({
    ...{ name, title, alarm: null, page: { group: 'money', ...page } },
    async begin(stage) {
      for (const [event, expected] of story(stage.orderId)) {
        await stage.send(event);
        await seeOrder(stage, expected);
        if (expected.mode === 'sandbox') await seeNoOrder(stage);
      }
      return {};
    },
  }),
);
