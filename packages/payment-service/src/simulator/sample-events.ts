import { createHash, randomUUID } from 'node:crypto';

/** Events as API document 2.3 describes them, with every documented field. All values are invented. */
export interface SampleOptions {
  readonly orderId: string;
  /** A string holding a number, as the document has it. */
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

/** Status 1 accompanies a paid transaction (API document 3); the other numbers are invented. */
const statuses: Readonly<Record<string, number>> = {
  'transaction.paid': 1,
  'transaction.refunded': 2,
  'transaction.failed': 3,
};

export const paidEvent = (options: SampleOptions): SampleEvent => sampleEvent('transaction.paid', options);

export const refundedEvent = (options: SampleOptions): SampleEvent =>
  sampleEvent('transaction.refunded', options);

/** The document mentions failed payments without the name of their event: this one is assumed. */
export const failedEvent = (options: SampleOptions): SampleEvent =>
  sampleEvent('transaction.failed', options);

/** An event name that the document does not list; its list is not complete. */
export const unknownEvent = (options: SampleOptions & { readonly eventName?: string }): SampleEvent =>
  sampleEvent(options.eventName ?? 'transaction.disputed', options);

/** The bytes to sign and send: serialised a second time, they may differ. */
export function bytesOf(event: SampleEvent): Uint8Array {
  return Buffer.from(JSON.stringify(event), 'utf8');
}

export function sampleEvent(eventName: string, options: SampleOptions) {
  const id = (purpose: string): string =>
    options.seed === undefined ? randomUUID() : seededUuid(`${options.seed}/${purpose}`);
  const seededTime = options.seed === undefined ? undefined : '2026-11-02T09:15:00.000000Z';
  return {
    id: options.eventId ?? id(`event/${eventName}`),
    event_name: eventName,
    sandbox: options.sandbox ?? false,
    payload: {
      token: { id: id('token') },
      customer: { id: id('customer'), ...customer(options.nullable ?? 'filled') },
      // A free-form map: the document shows a type and a key with dots in it.
      metadata: { type: 'checkout', 'shop.example': 'invented-cart-7' },
      transaction: {
        id: options.transactionId ?? id('transaction'),
        amount: options.amount ?? '100.00',
        status: statuses[eventName] ?? 1,
        currency: options.currency ?? 'USD',
        order_id: options.orderId,
        created_at: options.createdAt ?? seededTime ?? microsecondTime(new Date()),
        ...baseAmount(options),
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

/** What the document calls "string or null (null when not supplied)". */
function customer(nullable: 'filled' | 'null') {
  const filled = {
    city: 'Inventedville',
    name: 'Nobody Real',
    email: 'nobody@shop.example',
    phone: '+00 000 000000',
    state: 'Nowhere',
    address: '1 Imaginary Street',
    zip_code: '00000',
    country_code: 'ZZ',
  };
  if (nullable === 'filled') return filled;
  return Object.fromEntries(Object.keys(filled).map((field) => [field, null]));
}

function baseAmount({ nullable, amount, currency }: SampleOptions) {
  if (nullable === 'null') return { base_amount: null, base_currency: null };
  return { base_amount: amount ?? '100.00', base_currency: currency ?? 'USD' };
}

function microsecondTime(moment: Date): string {
  return moment.toISOString().replace('Z', '000Z');
}

/** A UUID that only the seed decides, with the version and variant bits of a random one. */
function seededUuid(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
