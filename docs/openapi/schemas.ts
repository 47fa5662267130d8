import { attentions, modes, orderStatuses, outcomes, reasons, transactionStatuses } from './meanings.ts';
import {
  instant,
  list,
  nullable,
  nullableInstant,
  nullableText,
  object,
  oneOf,
  ref,
  type Schema,
  text,
} from './schema-parts.ts';

const mode = ref('Mode');
const keyId = 'Which private key had signed it: a short hash, never the key.';
const bodySha256 = 'SHA-256 of the signed bytes, lowercase hexadecimal.';
const eventId = text('The id inside the signed body. One event has one id, however often it is delivered.');
const eventName = text('Open set: the payment service may send names that are new.', {
  examples: ['transaction.paid', 'transaction.refunded'],
});
const expired = '`null` once its row has expired; the event still counts.';

const orderEvent = {
  id: eventId,
  event_name: eventName,
  received_at: nullableInstant(`When the delivery that was recorded arrived; ${expired}`),
};

const eventRecord = {
  outcome: ref('Outcome'),
  reason: nullable(ref('Reason'), '`null` unless it is quarantined or not an event.'),
  event_name: nullableText('`null` when the body has none.'),
  order_id: nullableText('`null` when it names no order, or one that no key can hold.'),
  transaction_id: nullableText('`null` when the body has none.'),
  received_at: instant('When the delivery arrived.'),
  recorded_at: instant('When it was stored.'),
  key_id: text(keyId),
  body_sha256: text(bodySha256, { pattern: '^[0-9a-f]{64}$' }),
};

const closedSets: Readonly<Record<string, Schema>> = {
  Mode: oneOf('Live money or the sandbox.', modes),
  OrderStatus: oneOf('The state of an order: a function of its set of events, in whatever order they came.', {
    ...orderStatuses,
  }),
  TransactionStatus: oneOf('The state of one transaction.', transactionStatuses),
  Attention: oneOf('Why a person must look.', attentions),
  Outcome: oneOf('What became of a signed body.', outcomes),
  Reason: oneOf('Why a body is quarantined, or no event.', reasons),
};

export const schemas: Readonly<Record<string, Schema>> = {
  ...closedSets,
  Transaction: object('One transaction of an order, as its events tell it.', {
    id: nullableText('`null` for an event that names no transaction: it stands alone.'),
    status: ref('TransactionStatus'),
    amount: nullableText(
      'A decimal number exactly as the payment service wrote it. Compare it as a decimal.',
    ),
    currency: nullableText('As the payment service wrote it.'),
    created_at: nullableText('As the payment service wrote it, microseconds and all.'),
  }),
  OrderEvent: object('An event that is part of the state of its order.', orderEvent),
  Order: object('What happened to an order. Holds no customer data.', {
    order_id: text('The merchant’s own id of the order, as the payment events name it.'),
    mode,
    status: ref('OrderStatus'),
    attention: list(ref('Attention'), 'Empty unless a person must look. No value twice.'),
    transactions: list(ref('Transaction'), 'By time of creation, then by id.'),
    events: list(ref('OrderEvent'), 'In the order in which they were received.'),
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'How many facts make the state. It only grows, so of two views of an order the one with the higher ' +
        'sequence is newer; events of the order feed carry the same number.',
    },
    updated_at: instant(
      'When its set of facts last changed. Use it to look; `sequence` decides what is newer.',
    ),
  }),
  OrderList: object('A page of orders.', {
    orders: list(ref('Order'), 'By the time of their latest change, oldest first. As they are by now.'),
    next_cursor: nullableText(
      'Where to go on. `null`: the end for now; keep the last one that was not null.',
    ),
  }),
  OrderEventDetail: object('An event of an order, with where it comes from. Holds no customer data.', {
    ...orderEvent,
    outcome: nullable(ref('Outcome'), `What became of it; ${expired}`),
    transaction_id: nullableText(`The transaction that it names; ${expired}`),
    recorded_at: nullableInstant(`When it was stored; ${expired}`),
    key_id: nullableText(`${keyId} ${expired}`),
    body_sha256: nullableText(`${bodySha256} ${expired}`),
  }),
  OrderEvents: object('The events that make the state of an order.', {
    order_id: text('The merchant’s own id of the order.'),
    mode,
    events: list(ref('OrderEventDetail'), 'In the order in which they were received.'),
  }),
  EventRecord: object('One signed body, without its bytes.', eventRecord),
  Event: object('What was received under an event id, byte for byte. The payload holds customer data.', {
    id: eventId,
    mode,
    ...eventRecord,
    body_base64: text('The signed bytes exactly as received.', { contentEncoding: 'base64' }),
    payload: { description: 'The body’s `payload` for reading, any JSON. The bytes are the truth.' },
    others: list(ref('EventRecord'), 'Other bodies under the same id: conflicting, or in quarantine.'),
  }),
  Problem: object('Problem details, RFC 9457.', {
    type: text('Always `about:blank`: the status says what kind of problem it is.'),
    title: text('The name of the status.'),
    status: { type: 'integer', description: 'The status of the answer.' },
    detail: text('A sentence for a person.'),
  }),
  ParameterProblem: object('Problem details of a parameter: `detail` says what was given and expected.', {
    type: text('Always `about:blank`.'),
    title: text('The name of the status.'),
    status: { type: 'integer', const: 400, description: 'The status of the answer.' },
    detail: text('A sentence that names the parameter, what was given and what is expected.'),
    parameter: text('The query parameter that is wrong.'),
  }),
  GatewayMessage: object('How API Gateway itself answers, before or instead of payhooks.', {
    message: text('A word or two, such as `Forbidden`.'),
  }),
};
