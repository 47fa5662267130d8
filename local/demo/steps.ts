import {
  bytesOf,
  disputedEvent,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
} from '@payhooks/payment-service/simulator';
import { describeSample } from '../webhooks/description.ts';
import type { Signer } from '../webhooks/sender.ts';

export interface DemoStep {
  readonly title: string;
  /** Where the order query shows the result; `null` for a body without an id. */
  readonly path: string | null;
  readonly notifications: readonly Notification[];
}

export interface Notification {
  readonly description: string;
  readonly body: Uint8Array;
  /** The payment service sends its event; what it would never send is posted directly, signed by `signer`. */
  readonly from: { readonly event: SampleEvent } | { readonly signer: Signer };
}

/** What the demo's webhook is registered for. */
export const demoEvents = [
  'transaction.paid',
  'transaction.refunded',
  'transaction.failed',
  'transaction.disputed',
] as const;

/**
 * The steps of one run. Event ids are new in each run and order ids end in `run`, so that a second run over
 * the same data directory shows the same with other orders.
 */
export function demoSteps(run: string): readonly DemoStep[] {
  const order = (number: number): SampleOptions => ({ orderId: `order-${number}-${run}` });
  const sameTransaction = ({ payload }: SampleEvent) => ({ transactionId: payload.transaction.id });
  const first = paidEvent({ ...order(1001), amount: '100.00' });
  const late = paidEvent({ ...order(1002), amount: '25.00' });
  const second = paidEvent({ ...order(1003), amount: '60.00' });
  const partly = paidEvent({ ...order(1004), amount: '80.00' });
  const forged = paidEvent({ ...order(1006), amount: '0.01' });
  const mislabelled = paidEvent({ ...order(1008), amount: '10.00' });
  const taken = paidEvent({ ...order(1009), amount: '75.00' });
  const contradicting = paidEvent({
    ...order(1009),
    amount: '57.00',
    eventId: taken.id,
    ...sameTransaction(taken),
  });
  const lost = refundedEvent({ orderId: '', amount: '20.00' });
  const notJson = Buffer.from(`run ${run}: not JSON at all`, 'utf8');
  return [
    step('An order is paid', first),
    step('The same notification arrives again', first),
    step('The payment is refunded', refundedEvent({ ...order(1001), ...sameTransaction(first) })),
    step(
      'A refund arrives before its payment',
      refundedEvent({ ...order(1002), amount: '25.00', ...sameTransaction(late) }),
      late,
    ),
    step('A payment fails, the next one succeeds', failedEvent({ ...order(1003), amount: '60.00' }), second),
    step(
      'Part of a payment is refunded',
      partly,
      refundedEvent({ ...order(1004), amount: '30.00', ...sameTransaction(partly) }),
    ),
    step(
      'An order is paid twice',
      paidEvent({ ...order(1005), amount: '45.00' }),
      paidEvent({ ...order(1005), amount: '45.00' }),
    ),
    {
      ...step('A forged event is refused', forged),
      notifications: [{ ...notification(forged), from: { signer: 'forger' } }],
    },
    step(
      'A sandbox payment stays in the sandbox',
      paidEvent({ ...order(1007), amount: '10.00', sandbox: true }),
    ),
    {
      title: 'The sandbox key signs an event that claims to be live',
      path: `/events/${mislabelled.id}?mode=sandbox`,
      notifications: [{ ...notification(mislabelled), from: { signer: 'sandbox' } }],
    },
    step(
      'A payment is disputed',
      disputedEvent({ ...order(1003), amount: '60.00', ...sameTransaction(second) }),
    ),
    {
      title: 'A signed body is not JSON',
      path: null,
      notifications: [{ description: `${notJson.length} bytes`, body: notJson, from: { signer: 'live' } }],
    },
    step('Two bodies arrive under one event id', taken, contradicting),
    {
      title: 'A refund names no order, and its payment is not known',
      path: `/events/${lost.id}`,
      notifications: [notification(lost)],
    },
  ];
}

/** A step about one order. */
function step(title: string, ...events: readonly [SampleEvent, ...SampleEvent[]]): DemoStep {
  const { sandbox, payload } = events[0];
  const path = `/orders/${payload.transaction.order_id}${sandbox ? '?mode=sandbox' : ''}`;
  return { title, path, notifications: events.map(notification) };
}

function notification(event: SampleEvent): Notification {
  return { description: describeSample(event), body: bytesOf(event), from: { event } };
}
