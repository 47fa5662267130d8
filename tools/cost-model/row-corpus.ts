import { createHash } from 'node:crypto';
import { paidEvent } from '@payhooks/payment-service/simulator';

/** Bodies as shops cause them: what differs is the customer and the metadata. All values are invented. */
export interface CorpusEvent {
  readonly title: string;
  readonly eventId: string;
  readonly body: Uint8Array;
}

type Customer = Readonly<Record<string, string>>;

const customer: Customer = {
  city: 'Gothenburg',
  name: 'Ingrid Maria Lindqvist-Andersson',
  email: 'ingrid.lindqvist@postverket.example',
  phone: '+46 31 704 51 98',
  state: 'Västra Götaland',
  address: 'Södra Hamngatan 47B, 3 tr',
  zip_code: '411 06',
  country_code: 'SE',
};
const japanese: Customer = {
  ...{ city: '名古屋市', name: '渡辺 美咲', email: 'misaki.w@denshi.example', phone: '+81 52 961 7734' },
  ...{
    state: '愛知県',
    address: '中区栄三丁目15番33号 栄ガスビル8階',
    zip_code: '460-0008',
    country_code: 'JP',
  },
};

/** Text of no pattern: the hexadecimal digits of a hash of hashes. */
const noise = (length: number): string =>
  Array.from({ length: Math.ceil(length / 43) }, (_, n) =>
    createHash('sha256').update(`noise ${n}`).digest('base64url'),
  )
    .join('')
    .slice(0, length);
const uuid = (n: number): string => {
  const hex = createHash('sha256').update(`uuid ${n}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
};

const shop = {
  order_number: '100482',
  cart_hash: '5d41402abc4b2a76',
  plugin: 'checkout-gateway',
  plugin_version: '3.7.2',
  payment_page: 'one-step',
  locale: 'sv_SE',
  vat_number: 'SE556036079301',
  delivery: 'pick-up point 4117',
};
const subscription = {
  subscription_id: uuid(1),
  plan_id: uuid(2),
  account_id: uuid(3),
  invoice_id: uuid(4),
  period: '2026-11',
  seats: '14',
};
const items = Object.fromEntries(
  [
    'Walnut desk 160 x 80',
    'Desk lamp, brass',
    'Cable tray',
    'Office chair Sedeo',
    'Footrest',
    'Monitor arm',
  ].map((name, n) => [
    `items.${n}`,
    { name, sku: `FRN-${4817 + 379 * n}`, quantity: n + 1, price: `${89 + 61 * n}.90` },
  ]),
);
const visit = {
  referrer: 'https://www.interior-magazine.example/2026/11/desks-that-last?utm_source=newsletter',
  landing_page: 'https://shop.furniture.example/collections/desks/products/walnut-desk-160?variant=39284756',
  user_agent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
};
const letter = [
  'Please leave the parcel with the neighbours on the second floor if nobody opens; the bell does not work',
  'since Tuesday. The chair is a present, so no invoice in the box. Call before noon, because the street is',
  'closed for the market from one until five. Thank you, and greetings to the driver who carried it up!',
].join(' ');

const corpus: readonly (readonly [title: string, customer: Customer | null, metadata: object])[] = [
  ['no customer fields', null, {}],
  ['metadata of a shop', customer, shop],
  ['a customer in another alphabet', japanese, shop],
  ['ids of a subscription', customer, subscription],
  ['six items in the cart', customer, { ...shop, ...items }],
  ['where the visitor came from', customer, { ...shop, ...subscription, ...visit }],
  ['a letter to the shop', customer, { ...shop, ...visit, letter }],
];

function eventOf([title, fields, metadata]: (typeof corpus)[number]): CorpusEvent {
  const event = paidEvent({
    orderId: 'ORD-2026-004817',
    seed: title,
    ...(fields === null && { nullable: 'null' }),
  });
  const { payload } = event;
  const own = { ...payload.customer, ...fields };
  const whole = { ...payload, customer: own, metadata: { type: 'checkout', ...metadata } };
  const body = Buffer.from(JSON.stringify({ ...event, payload: whole }));
  return { title, eventId: event.id, body };
}

const sample: CorpusEvent = (() => {
  const event = paidEvent({ orderId: 'ORD-2026-004817', seed: 'sample' });
  return { title: 'the sample event', eventId: event.id, body: Buffer.from(JSON.stringify(event)) };
})();

export const realisticEvents: readonly CorpusEvent[] = [sample, ...corpus.map(eventOf)];

/** The exception: a kilobyte that no method makes smaller. */
export const randomEvent: CorpusEvent = eventOf([
  'random text in metadata',
  customer,
  { token: noise(1_000) },
]);
