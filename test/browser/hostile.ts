import { bytesOf, paidEvent, type SampleEvent, unknownEvent } from '@payhooks/payment-service/simulator';
import { withTransaction } from '../acceptance/odd-events.ts';

/** What a page must show as it is: none of it may run, move the layout, or become part of an address. */
export const hostileTexts = {
  script: '<script>window.hostile=1</script>',
  'closing script': '</script><script>window.hostile=1</script>',
  image: '<img src=x onerror="window.hostile=1">',
  attribute: '"><svg onload=window.hostile=1>',
  'address of a script': 'javascript:window.hostile=1',
  'right to left': '\u202e\u2066txt.exe\u2069 \u05d0\u05d1\u05d2',
  'zero width': 'zero\u200b\u200d\ufeffwidth',
  long: 'L'.repeat(255),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈 e\u0301',
  'encoded slash': 'a%2Fb/c',
  'parent folder': '../../operations/waiting',
  'control characters': 'a\u0000b\u0007c\u001b[31md\r\ne\tf',
  'query string': '?mode=sandbox&q=#top',
  'combining marks': `Z${'\u0323\u0310'.repeat(60)}`,
  template: '{{7*7}}<%= 7*7 %>',
  prototype: '__proto__',
} as const;

type Texts = Readonly<Record<keyof typeof hostileTexts, string>>;

/** What a page shows of each: invisible characters are written out. */
export const shownTexts: Texts = {
  ...hostileTexts,
  'right to left': '\\u{202e}\\u{2066}txt.exe\\u{2069} \u05d0\u05d1\u05d2',
  'zero width': 'zero\\u{200b}\u200d\\u{feff}width',
  'control characters': 'a\\u{0}b\\u{7}c\\u{1b}[31md\\u{d}\\u{a}e\\u{9}f',
};

/** What it shows of each in a body, which is JSON. */
export const shownInBody: Texts = {
  ...shownTexts,
  image: '<img src=x onerror=\\"window.hostile=1\\">',
  attribute: '\\"><svg onload=window.hostile=1>',
  'control characters': 'a\\u0000b\\u0007c\\u001b[31md\\r\\ne\\tf',
};

const texts = Object.values(hostileTexts);

/** Each text as an order id, an event id and a transaction id, and in every field that a body has. */
export const hostileNotifications: readonly { readonly body: Uint8Array }[] = texts.flatMap((text) => {
  const ids = { orderId: text, eventId: `${text} event`, transactionId: text };
  return [
    { body: bytesOf(withFields(paidEvent({ ...ids, seed: text }), text)) },
    { body: bytesOf(unknownEvent({ ...ids, eventId: `${text} name`, eventName: text, seed: text })) },
    { body: withTransaction(paidEvent({ ...ids, eventId: `${text} amount`, seed: text }), { amount: text }) },
    {
      body: withTransaction(paidEvent({ ...ids, eventId: `${text} money`, seed: text }), { currency: text }),
    },
    { body: Buffer.from(text) },
  ];
});

/** In the fields of the customer, the card, and the metadata with its names. */
function withFields(event: SampleEvent, text: string): SampleEvent {
  const { customer, payment_method: method } = event.payload;
  const filled = Object.fromEntries(Object.keys(customer).map((field) => [field, text]));
  return {
    ...event,
    payload: {
      ...event.payload,
      customer: filled as typeof customer,
      metadata: { type: text, 'shop.example': text, [text]: text },
      payment_method: { ...method, card: { ...method.card, brand: text } },
    },
  };
}
