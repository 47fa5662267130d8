import {
  bytesOf,
  paidEvent,
  refundedEvent,
  type SampleEvent,
  type SampleOptions,
} from '@payhooks/payment-service/simulator';

/** What the payment service sent, and when. */
export interface Delivery {
  readonly at: string;
  readonly body: Uint8Array;
}

export const orderId = 'order-1042';
/** When the reader of the pictures looks. */
export const storyEnd = '2026-11-02T10:04:00.000Z';

/** Ids and times follow from the story alone, so that a second run draws the same pictures. */
const firstCharge = sent('09:31:02.114', paidEvent(charge('first')));

/** A customer clicks twice, and the shop gives the second payment back. The first webhook arrives twice. */
export const story: readonly Delivery[] = [
  firstCharge,
  { ...firstCharge, at: day('09:31:02.731') },
  sent('09:31:09.420', paidEvent(charge('second'))),
  sent('09:58:40.052', refundedEvent(charge('second'))),
];

function charge(name: string): SampleOptions {
  const amount = '45.00';
  return { orderId, amount, seed: `${orderId} ${name} ${amount}` };
}

function sent(time: string, event: SampleEvent): Delivery {
  const at = day(time);
  const transaction = { ...event.payload.transaction, created_at: at.replace('Z', '000Z') };
  return { at, body: bytesOf({ ...event, payload: { ...event.payload, transaction } }) };
}

function day(time: string): string {
  return `2026-11-02T${time}Z`;
}
