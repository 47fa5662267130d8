import {
  bytesOf,
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { reserialised, withoutOrder } from '../acceptance/odd-events.ts';
import type { Post } from '../acceptance/pipeline.ts';

/** A body, and how it is signed. */
export interface Notification extends Post {
  readonly body: Uint8Array;
}

/** The ids of what a page may be opened for. Each is named after what is special about it. */
export const knownOrders = {
  paid: 'order-paid',
  refunded: 'order-refunded',
  partlyRefunded: 'order-partly-refunded',
  refundFirst: 'order-refund-first',
  failedThenPaid: 'order-failed-then-paid',
  doubleCharge: 'order-double-charge',
  conflict: 'order-conflict',
  variant: 'order-variant',
  refundWithoutPayment: 'order-refund-without-payment',
  disputed: 'order-disputed',
  unknownName: 'order-unknown-name',
  sandbox: 'order-sandbox',
} as const;

export const knownEvents = {
  paid: 'evt-paid',
  conflict: 'evt-conflict',
  withoutOrder: 'evt-without-order',
  quarantined: 'evt-quarantined',
} as const;

export const knownTransactions = { paid: 'txn-paid', withoutOrder: 'txn-without-order' } as const;

const order = (name: keyof typeof knownOrders, options: Partial<SampleOptions> = {}): SampleOptions => ({
  orderId: knownOrders[name],
  transactionId: `txn-${name}`,
  seed: name,
  ...options,
});
const live = (...bodies: readonly Uint8Array[]): readonly Notification[] => bodies.map((body) => ({ body }));
const paid = bytesOf(paidEvent(order('paid', { eventId: knownEvents.paid, amount: '100.00' })));
const variant = bytesOf(paidEvent(order('variant')));
const conflicting = (amount: string) =>
  bytesOf(paidEvent(order('conflict', { eventId: knownEvents.conflict, amount })));

/** What a local mode gets, in this order: every state that an order and an event can have. */
export const knownNotifications: readonly Notification[] = [
  // The second one is a duplicate.
  ...live(paid, paid),
  ...live(bytesOf(paidEvent(order('refunded'))), bytesOf(refundedEvent(order('refunded')))),
  ...live(
    bytesOf(paidEvent(order('partlyRefunded', { amount: '80.00' }))),
    bytesOf(refundedEvent(order('partlyRefunded', { amount: '30.00' }))),
  ),
  ...live(bytesOf(refundedEvent(order('refundFirst'))), bytesOf(paidEvent(order('refundFirst')))),
  ...live(
    bytesOf(failedEvent(order('failedThenPaid', { transactionId: 'txn-failed' }))),
    bytesOf(paidEvent(order('failedThenPaid'))),
  ),
  ...live(
    bytesOf(paidEvent(order('doubleCharge', { transactionId: 'txn-first-charge', seed: 'first charge' }))),
    bytesOf(paidEvent(order('doubleCharge', { transactionId: 'txn-second-charge', seed: 'second charge' }))),
  ),
  ...live(conflicting('45.00'), conflicting('54.00')),
  ...live(variant, reserialised(variant)),
  ...live(bytesOf(refundedEvent(order('refundWithoutPayment')))),
  ...live(bytesOf(paidEvent(order('disputed'))), bytesOf(disputedEvent(order('disputed')))),
  ...live(bytesOf(unknownEvent(order('unknownName', { transactionId: 'txn-unknown-name' })))),
  { body: bytesOf(paidEvent(order('sandbox', { sandbox: true }))), key: 'sandbox' },
  ...live(
    withoutOrder(
      refundedEvent({
        ...{ orderId: '', eventId: knownEvents.withoutOrder, seed: 'without order' },
        transactionId: knownTransactions.withoutOrder,
      }),
    ),
  ),
  // It claims to be live, and the sandbox key signed it.
  {
    body: bytesOf(paidEvent({ orderId: 'order-quarantined', eventId: knownEvents.quarantined, seed: 'q' })),
    key: 'sandbox',
  },
  ...live(Buffer.from('not JSON at all')),
  { body: bytesOf(paidEvent({ orderId: 'order-forged', seed: 'forged' })), signature: '0'.repeat(128) },
];
