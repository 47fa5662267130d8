import { createHash, randomUUID } from 'node:crypto';

/** Events as API document 2.3 describes them, with every documented field. All values are invented. */
export interface SampleOptions {
  readonly orderId: string;
  /** A string holding a number. */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  readonly eventId?: string | undefined;
  /** Events of one transaction, such as a payment and its refund, share it. */
  readonly transactionId?: string | undefined;
  readonly sandbox?: boolean | undefined;
  /** ISO 8601 in UTC, with microseconds and a Z. */
  readonly createdAt?: string | undefined;
  /** `null` gives the variant in which every nullable field is null. */
  readonly nullable?: 'filled' | 'null' | undefined;
  /** With a seed, the same options always give the same event, including ids and time. */
  readonly seed?: string | undefined;
}

export type SampleEvent = ReturnType<typeof sampleEvent>;

export const paidEvent = (options: SampleOptions) => sampleEvent('transaction.paid', options);
export const refundedEvent = (options: SampleOptions) => sampleEvent('transaction.refunded', options);
/** The document mentions failed payments without the name of their event: this one is assumed. */
export const failedEvent = (options: SampleOptions) => sampleEvent('transaction.failed', options);
/** Disputes are not documented either: this name is assumed as well. */
export const disputedEvent = (options: SampleOptions) => sampleEvent('transaction.disputed', options);
/** An event name that the document does not list; its list is not complete. */
export const unknownEvent = (options: SampleOptions & { readonly eventName?: string }) =>
  sampleEvent(options.eventName ?? 'transaction.updated', options);

/** The bytes to sign and send: serialised a second time, they may differ. */
export const bytesOf = (event: SampleEvent): Uint8Array => Buffer.from(JSON.stringify(event));

/** Status 1 accompanies a paid transaction (API document 3); the other numbers are invented. */
const statuses: Readonly<Record<string, number>> = { 'transaction.refunded': 2, 'transaction.failed': 3 };

export function sampleEvent(eventName: string, options: SampleOptions) {
  const { seed, amount = '100.00', currency = 'USD' } = options;
  const id = (purpose: string) => (seed === undefined ? randomUUID() : seededUuid(`${seed}/${purpose}`));
  const now = seed === undefined ? new Date().toISOString() : '2026-11-02T09:15:00.000Z';
  const isNull = options.nullable === 'null';
  return {
    id: options.eventId ?? id(`event/${eventName}`),
    event_name: eventName,
    sandbox: options.sandbox ?? false,
    payload: {
      token: { id: id('token') },
      customer: { id: id('customer'), ...(isNull ? noCustomer : customer) },
      // A free-form map: the document shows a type and a key with dots in it.
      metadata: { type: 'checkout', 'shop.example': 'invented-cart-7' },
      transaction: {
        id: options.transactionId ?? id('transaction'),
        amount,
        status: statuses[eventName] ?? 1,
        currency,
        order_id: options.orderId,
        created_at: options.createdAt ?? now.replace('Z', '000Z'),
        base_amount: isNull ? null : amount,
        base_currency: isNull ? null : currency,
      },
      payment_method: {
        id: 1,
        name: 'credit_card',
        card: {
          id: id('card'),
          brand: 'INVENTED',
          fingerprint: 'invented-fingerprint',
          last_digits: '0000',
          country_code: 'ZZ',
          is_3d_secure: true,
        },
      },
    },
  };
}

const customer = {
  city: 'Inventedville',
  name: 'Nobody Real',
  email: 'nobody@shop.example',
  phone: '+00 000 000000',
  state: 'Nowhere',
  address: '1 Imaginary Street',
  zip_code: '00000',
  country_code: 'ZZ',
};
/** Null when not supplied. */
const noCustomer = Object.fromEntries(Object.keys(customer).map((field) => [field, null]));

/** A UUID that only the seed decides, with the version and variant bits of a random one. */
function seededUuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
