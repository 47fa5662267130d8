import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
  unknownEvent,
} from '@payhooks/payment-service/simulator';

/** What the payment service sent, and when. */
export interface Delivery {
  readonly at: string;
  readonly body: Uint8Array;
  readonly signedBy: 'live' | 'sandbox';
}

/** When the reader of the pictures looks. */
export const storyEnd = '2026-11-02T10:04:00.000Z';

/** Ids and times follow from the story alone, so that a second run draws the same pictures. */
const firstCharge = sent('09:31:02.114', paidEvent(charge('order-1042', 'first', '45.00')));

const deliveries: readonly Delivery[] = [
  ...quietOrders(),
  // A customer clicks twice, and the shop gives the second payment back. The first webhook arrives twice.
  firstCharge,
  { ...firstCharge, at: day('09:31:02.731') },
  sent('09:31:09.420', paidEvent(charge('order-1042', 'second', '45.00'))),
  sent('09:58:40.052', refundedEvent(charge('order-1042', 'second', '45.00'))),
  // One event id, two amounts.
  sent('09:41:17.300', paidEvent({ ...charge('order-1043', 'only', '80.00'), eventId: 'evt-1043-paid' })),
  sent('09:41:44.912', paidEvent({ ...charge('order-1043', 'only', '90.00'), eventId: 'evt-1043-paid' })),
  // Charged twice, and nobody has noticed yet.
  sent('09:47:30.005', paidEvent(charge('order-1044', 'first', '45.00'))),
  sent('09:47:33.871', paidEvent(charge('order-1044', 'second', '45.00'))),
  sent('09:52:12.640', refundedEvent({ ...charge('', 'elsewhere', '12.50'), orderId: '' })),
  sent(
    '09:53:05.118',
    unknownEvent({ ...charge('order-1046', 'only', '20.00'), eventName: 'transaction.held' }),
  ),
  { ...sent('09:55:21.477', paidEvent(charge('order-1047', 'only', '10.00'))), signedBy: 'sandbox' },
  { at: day('09:56:48.203'), body: Buffer.from('{"ping":true}'), signedBy: 'live' },
];

/** In the order of their arrival. */
export const story = deliveries.toSorted((a, b) => a.at.localeCompare(b.at));

/** Orders to which nothing special happened. */
function quietOrders(): Delivery[] {
  const amounts = ['19.00', '120.00', '8.50', '64.90', '250.00', '31.20', '75.00', '15.75', '99.00', '42.00'];
  return amounts.flatMap((amount, index) => {
    const one = charge(`order-${1030 + index}`, 'only', amount);
    const minute = String(5 + index * 3).padStart(2, '0');
    if (index % 5 === 3) return [sent(`09:${minute}:11.204`, failedEvent(one))];
    const payment = sent(`09:${minute}:11.204`, paidEvent(one));
    if (index % 5 !== 4) return [payment];
    return [payment, sent(`09:${minute}:52.660`, refundedEvent({ ...one, amount: '20.00' }))];
  });
}

function charge(orderId: string, name: string, amount: string): SampleOptions {
  return { orderId, amount, seed: `${orderId} ${name} ${amount}` };
}

function sent(time: string, event: SampleEvent): Delivery {
  const at = day(time);
  const transaction = { ...event.payload.transaction, created_at: at.replace('Z', '000Z') };
  return { at, body: bytesOf({ ...event, payload: { ...event.payload, transaction } }), signedBy: 'live' };
}

function day(time: string): string {
  return `2026-11-02T${time}Z`;
}
