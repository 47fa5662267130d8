import { createHash } from 'node:crypto';
import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import type { Mode } from '../../lambdas/domain/signature.ts';

/** One notification of the story, and where it must show. */
export interface Send {
  readonly says: string;
  readonly sent: Sent;
  readonly shows: Showing;
}

/** The payment service emits what is genuine; what it would never send is posted without it. */
export type Sent =
  | { readonly by: 'service'; readonly event: SampleEvent }
  | { readonly by: Mode | 'forger'; readonly body: Uint8Array };

/** What the webhook of the story is registered for. */
export const storyEvents = [
  'transaction.paid',
  'transaction.refunded',
  'transaction.failed',
  'transaction.disputed',
] as const;

export type Showing =
  | { readonly at: 'order'; readonly eventId: string }
  | { readonly at: 'event' }
  /**
   * A duplicate changes nothing and an unrecognised body has no id, so only the consumer's log line tells.
   */
  | { readonly at: 'log'; readonly outcome: 'duplicate' | 'unrecognised'; readonly bodySha256: string };

export interface Chapter {
  readonly title: string;
  /** What the reader can ask for afterwards; `null` when nothing can be asked for. */
  readonly path: string | null;
  readonly sends: readonly Send[];
}

/**
 * The story's chapters. Event ids are fresh on every call, and order ids end in `run`, so that a second run
 * over the same data directory tells the same story about other orders.
 */
export function storyChapters(run: string): readonly Chapter[] {
  const order = (number: number): SampleOptions => ({ orderId: `order-${number}-${run}` });
  const first = paidEvent({ ...order(1001), amount: '100.00' });
  const inTransactionOf = ({ payload }: SampleEvent) => ({ transactionId: payload.transaction.id });
  const late = paidEvent({ ...order(1002), amount: '25.00' });
  const partly = paidEvent({ ...order(1004), amount: '80.00' });
  const forged = paidEvent({ ...order(1006), amount: '0.01' });
  const sandbox = paidEvent({ ...order(1007), amount: '10.00', sandbox: true });
  const disguised = paidEvent({ ...order(1008), amount: '10.00' });
  const notJson = Buffer.from(`run ${run}: not JSON at all`, 'utf8');
  return [
    orderChapter('An order is paid', first),
    {
      ...orderChapter('The same notification arrives once more', first),
      sends: [{ ...send(first), shows: logged('duplicate', bytesOf(first)) }],
    },
    orderChapter('The money goes back', refundedEvent({ ...order(1001), ...inTransactionOf(first) })),
    orderChapter(
      'A refund overtakes its payment',
      refundedEvent({ ...order(1002), amount: '25.00', ...inTransactionOf(late) }),
      late,
    ),
    orderChapter(
      'A payment fails, the next one succeeds',
      failedEvent({ ...order(1003), amount: '60.00' }),
      paidEvent({ ...order(1003), amount: '60.00' }),
    ),
    orderChapter(
      'A part of the money goes back',
      partly,
      refundedEvent({ ...order(1004), amount: '30.00', ...inTransactionOf(partly) }),
    ),
    orderChapter(
      'One order is paid twice',
      paidEvent({ ...order(1005), amount: '45.00' }),
      paidEvent({ ...order(1005), amount: '45.00' }),
    ),
    {
      ...orderChapter('A forgery', forged),
      sends: [{ ...send(forged), sent: { by: 'forger', body: bytesOf(forged) } }],
    },
    orderChapter('A sandbox payment stays in the sandbox', sandbox),
    {
      title: 'A sandbox key signs an event that calls itself live',
      path: `/events/${disguised.id}?mode=sandbox`,
      sends: [
        { ...send(disguised), sent: { by: 'sandbox', body: bytesOf(disguised) }, shows: { at: 'event' } },
      ],
    },
    orderChapter(
      'An event name that nobody has documented',
      unknownEvent({ ...order(1003), amount: '60.00' }),
    ),
    {
      title: 'A signed body that is not JSON',
      path: null,
      sends: [
        {
          says: `${notJson.length} bytes`,
          sent: { by: 'live', body: notJson },
          shows: logged('unrecognised', notJson),
        },
      ],
    },
  ];
}

function orderChapter(title: string, ...events: readonly [SampleEvent, ...SampleEvent[]]): Chapter {
  const { sandbox, payload } = events[0];
  const path = `/orders/${payload.transaction.order_id}${sandbox ? '?mode=sandbox' : ''}`;
  return { title, path, sends: events.map(send) };
}

function send(event: SampleEvent): Send {
  const { amount, currency } = event.payload.transaction;
  return {
    says: `${event.event_name} ${amount} ${currency}`,
    sent: { by: 'service', event },
    shows: { at: 'order', eventId: event.id },
  };
}

function logged(outcome: 'duplicate' | 'unrecognised', body: Uint8Array): Showing {
  return { at: 'log', outcome, bodySha256: createHash('sha256').update(body).digest('hex') };
}
