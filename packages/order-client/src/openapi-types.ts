/**
 * The answers of the order query. Made from docs/openapi/ by `npm run openapi`: a change here is lost.
 */

/**
 * Every body of an answer.
 */
export type Answer = Order | OrderList | OrderEvents | Event | Problem | ParameterProblem | GatewayMessage;
/**
 * Live money or the sandbox.
 * - `live`: real money
 * - `sandbox`: the sandbox of the payment service; the two never meet, and an order id may exist in
 * both
 */
export type Mode = 'live' | 'sandbox';
/**
 * The state of an order: a function of its set of events, in whatever order they came.
 * - `pending`: events, but none that decides
 * - `failed`: only failures
 * - `paid`: money was taken, none of it is known to have gone back
 * - `partially_refunded`: some of it went back; not all, or not certain that all
 * - `refunded`: all that was taken has gone back
 */
export type OrderStatus = 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded';
/**
 * Why a person must look.
 * - `multiple_paid_transactions`: more than one transaction holds money: possible double charge
 * - `refund_without_payment`: money went back that was not seen to come; a payment that is merely
 * late clears it
 * - `refund_amount_ambiguous`: the amounts do not tell whether all of it went back
 * - `payment_amount_ambiguous`: one transaction was told with two amounts
 * - `currency_mixed`: one order in several currencies
 * - `conflicting_event`: two different bodies came under one event id; the first counts
 */
export type Attention =
  | 'multiple_paid_transactions'
  | 'refund_without_payment'
  | 'refund_amount_ambiguous'
  | 'payment_amount_ambiguous'
  | 'currency_mixed'
  | 'conflicting_event';
/**
 * The state of one transaction.
 * - `pending`: events, but none that decides
 * - `failed`: the payment failed
 * - `paid`: the payment was taken
 * - `partially_refunded`: a part went back, or it is not certain that all did
 * - `refunded`: all of it went back
 */
export type TransactionStatus = 'pending' | 'failed' | 'paid' | 'partially_refunded' | 'refunded';
/**
 * What became of a signed body.
 * - `applied`: it is one of the events that make the state of its order
 * - `recorded`: kept; it names no order
 * - `conflict`: kept, not applied: its event id was taken by another body
 * - `quarantined`: kept, not applied before a person admits it; `reason` says why
 * - `unrecognised`: kept, not an event; it has no usable event id, so no route of this API tells it
 */
export type Outcome = 'applied' | 'recorded' | 'conflict' | 'quarantined' | 'unrecognised';
/**
 * Why a body is quarantined, or no event.
 * - `sandbox_flag_missing`: quarantined: the body does not say whether it is of the sandbox
 * - `sandbox_flag_disagrees`: quarantined: signed with a live key as a sandbox event, or the other
 * way round
 * - `order_id_invalid`: quarantined: the order id is longer than a key can be
 * - `order_refused`: quarantined: its order is full
 * - `not_utf8`: unrecognised: not text
 * - `not_json`: unrecognised: not JSON
 * - `not_an_object`: unrecognised: JSON, but not an object
 * - `id_missing`: unrecognised: no event id
 * - `id_invalid`: unrecognised: the event id is longer than a key can be
 * - `event_name_missing`: unrecognised: no event name
 * - `event_name_invalid`: unrecognised: the event name is too long
 */
export type Reason =
  | 'sandbox_flag_missing'
  | 'sandbox_flag_disagrees'
  | 'order_id_invalid'
  | 'order_refused'
  | 'not_utf8'
  | 'not_json'
  | 'not_an_object'
  | 'id_missing'
  | 'id_invalid'
  | 'event_name_missing'
  | 'event_name_invalid';

/**
 * What happened to an order. Holds no customer data.
 */
export interface Order {
  /**
   * The merchant’s own id of the order, as the payment events name it.
   */
  order_id: string;
  mode: Mode;
  status: OrderStatus;
  /**
   * Empty unless a person must look. No value twice.
   */
  attention: Attention[];
  /**
   * By time of creation, then by id.
   */
  transactions: Transaction[];
  /**
   * In the order in which they were received.
   */
  events: OrderEvent[];
  /**
   * How many facts make the state. It only grows, so of two views of an order the one with the higher
   * sequence is newer; events of the order feed carry the same number.
   */
  sequence: number;
  /**
   * When its set of facts last changed. Use it to look; `sequence` decides what is newer.
   */
  updated_at: string;
}
/**
 * One transaction of an order, as its events tell it.
 */
export interface Transaction {
  /**
   * `null` for an event that names no transaction: it stands alone.
   */
  id: string | null;
  status: TransactionStatus;
  /**
   * A decimal number exactly as the payment service wrote it. Compare it as a decimal.
   */
  amount: string | null;
  /**
   * As the payment service wrote it.
   */
  currency: string | null;
  /**
   * As the payment service wrote it, microseconds and all.
   */
  created_at: string | null;
}
/**
 * An event that is part of the state of its order.
 */
export interface OrderEvent {
  /**
   * The id inside the signed body. One event has one id, however often it is delivered.
   */
  id: string;
  /**
   * Open set: the payment service may send names that are new.
   */
  event_name: string;
  /**
   * When the delivery that was recorded arrived; `null` once its row has expired; the event still
   * counts.
   */
  received_at: string | null;
}
/**
 * A page of orders.
 */
export interface OrderList {
  /**
   * By the time of their latest change, oldest first. As they are by now.
   */
  orders: Order[];
  /**
   * Where to go on. `null`: the end for now; keep the last one that was not null.
   */
  next_cursor: string | null;
}
/**
 * The events that make the state of an order.
 */
export interface OrderEvents {
  /**
   * The merchant’s own id of the order.
   */
  order_id: string;
  mode: Mode;
  /**
   * In the order in which they were received.
   */
  events: OrderEventDetail[];
}
/**
 * An event of an order, with where it comes from. Holds no customer data.
 */
export interface OrderEventDetail {
  /**
   * The id inside the signed body. One event has one id, however often it is delivered.
   */
  id: string;
  /**
   * Open set: the payment service may send names that are new.
   */
  event_name: string;
  /**
   * When the delivery that was recorded arrived; `null` once its row has expired; the event still
   * counts.
   */
  received_at: string | null;
  /**
   * What became of it; `null` once its row has expired; the event still counts.
   */
  outcome: Outcome | null;
  /**
   * The transaction that it names; `null` once its row has expired; the event still counts.
   */
  transaction_id: string | null;
  /**
   * When it was stored; `null` once its row has expired; the event still counts.
   */
  recorded_at: string | null;
  /**
   * Which private key had signed it: a short hash, never the key. `null` once its row has expired; the
   * event still counts.
   */
  key_id: string | null;
  /**
   * SHA-256 of the signed bytes, lowercase hexadecimal. `null` once its row has expired; the event
   * still counts.
   */
  body_sha256: string | null;
}
/**
 * What was received under an event id, byte for byte. The payload holds customer data.
 */
export interface Event {
  /**
   * The id inside the signed body. One event has one id, however often it is delivered.
   */
  id: string;
  mode: Mode;
  outcome: Outcome;
  /**
   * `null` unless it is quarantined or not an event.
   */
  reason: Reason | null;
  /**
   * `null` when the body has none.
   */
  event_name: string | null;
  /**
   * `null` when it names no order, or one that no key can hold.
   */
  order_id: string | null;
  /**
   * `null` when the body has none.
   */
  transaction_id: string | null;
  /**
   * When the delivery arrived.
   */
  received_at: string;
  /**
   * When it was stored.
   */
  recorded_at: string;
  /**
   * Which private key had signed it: a short hash, never the key.
   */
  key_id: string;
  /**
   * SHA-256 of the signed bytes, lowercase hexadecimal.
   */
  body_sha256: string;
  /**
   * The signed bytes exactly as received.
   */
  body_base64: string;
  /**
   * The body’s `payload` for reading, any JSON. The bytes are the truth.
   */
  payload: unknown;
  /**
   * Other bodies under the same id: conflicting, or in quarantine.
   */
  others: EventRecord[];
}
/**
 * One signed body, without its bytes.
 */
export interface EventRecord {
  outcome: Outcome;
  /**
   * `null` unless it is quarantined or not an event.
   */
  reason: Reason | null;
  /**
   * `null` when the body has none.
   */
  event_name: string | null;
  /**
   * `null` when it names no order, or one that no key can hold.
   */
  order_id: string | null;
  /**
   * `null` when the body has none.
   */
  transaction_id: string | null;
  /**
   * When the delivery arrived.
   */
  received_at: string;
  /**
   * When it was stored.
   */
  recorded_at: string;
  /**
   * Which private key had signed it: a short hash, never the key.
   */
  key_id: string;
  /**
   * SHA-256 of the signed bytes, lowercase hexadecimal.
   */
  body_sha256: string;
}
/**
 * Problem details, RFC 9457.
 */
export interface Problem {
  /**
   * Always `about:blank`: the status says what kind of problem it is.
   */
  type: string;
  /**
   * The name of the status.
   */
  title: string;
  /**
   * The status of the answer.
   */
  status: number;
  /**
   * A sentence for a person.
   */
  detail: string;
}
/**
 * Problem details of a parameter: `detail` says what was given and expected.
 */
export interface ParameterProblem {
  /**
   * Always `about:blank`.
   */
  type: string;
  /**
   * The name of the status.
   */
  title: string;
  /**
   * The status of the answer.
   */
  status: 400;
  /**
   * A sentence that names the parameter, what was given and what is expected.
   */
  detail: string;
  /**
   * The query parameter that is wrong.
   */
  parameter: string;
}
/**
 * How API Gateway itself answers, before or instead of payhooks.
 */
export interface GatewayMessage {
  /**
   * A word or two, such as `Forbidden`.
   */
  message: string;
}
