import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';

/** A signed body that a release was sent before its rows were kept. */
export interface SentEvent {
  readonly body: Uint8Array;
  readonly key?: 'live' | 'sandbox';
  readonly contentType?: string;
}

const options = (orderId: string, more: object = {}) => ({ orderId, seed: orderId, ...more });
const of = (event: object): SentEvent => ({ body: Buffer.from(JSON.stringify(event)) });
const second = { eventId: 'evt-second', transactionId: 'txn-second' };
const contested = options('contested', { eventId: 'evt-contested', transactionId: 'txn-contested' });
const flagDisagrees = paidEvent(options('flag disagrees', { eventId: 'evt-flag-disagrees', sandbox: true }));
const { sandbox: _, ...flagMissing } = paidEvent(options('flag missing', { eventId: 'evt-flag-missing' }));

/** In this order; every kind of row that payhooks writes comes of it. */
export const sentEvents: readonly SentEvent[] = [
  of(paidEvent(options('paid', { eventId: 'evt-paid' }))),
  of(paidEvent(options('paid', { eventId: 'evt-paid' }))),
  of(paidEvent(options('refunded'))),
  of(refundedEvent(options('refunded'))),
  of(paidEvent(options('partly'))),
  of(refundedEvent(options('partly', { amount: '40.00' }))),
  of(refundedEvent(options('never paid'))),
  of(failedEvent(options('failed'))),
  of(unknownEvent(options('disputed'))),
  of(paidEvent(options('twice'))),
  of(paidEvent(options('twice', second))),
  of(paidEvent(options('nulls', { nullable: 'null' }))),
  of(paidEvent(options('a/b é? 😀'))),
  of(paidEvent(contested)),
  of(paidEvent({ ...contested, amount: '1.00' })),
  { body: bytesOf(paidEvent(options('paid', { seed: 'in sandbox', sandbox: true }))), key: 'sandbox' },
  of(flagDisagrees),
  of(flagMissing),
  of(paidEvent(options('x'.repeat(2_000), { seed: 'too long', eventId: 'evt-order-id-too-long' }))),
  of({ id: 'evt-bare', event_name: 'account.updated', sandbox: false, payload: [] }),
  { body: Buffer.from('hello') },
  { body: Buffer.from([0xff, 0xfe, 0x7b]), contentType: 'application/octet-stream' },
];

/** What the order query is asked afterwards; the list is followed by its cursors to its end. */
export const questions: readonly string[] = [
  ...['paid', 'refunded', 'partly', 'never paid', 'failed', 'disputed', 'twice', 'nulls', 'a/b é? 😀']
    .concat('contested', 'flag disagrees', 'flag missing')
    .flatMap((id) => [`/orders/${encodeURIComponent(id)}`, `/orders/${encodeURIComponent(id)}/events`]),
  '/orders/paid?mode=sandbox',
  '/orders/paid/events?mode=sandbox',
  ...['evt-paid', 'evt-contested', 'evt-flag-disagrees', 'evt-flag-missing', 'evt-order-id-too-long']
    .concat('evt-bare', 'evt-second', 'evt-never-sent')
    .map((id) => `/events/${id}`),
  '/orders?status=refunded',
  '/orders?mode=sandbox',
  '/orders?limit=4',
];
