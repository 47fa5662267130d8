import { randomInt } from 'node:crypto';
import type { Order } from '@payhooks/order-client';
import type { Delivery, SampleEvent } from '@payhooks/payment-service/simulator';
import { printable } from '../../operator/printable.ts';

/** Such as `transaction.paid 100.00 USD`. */
export function describeSample({ event_name, payload }: SampleEvent): string {
  const { amount, currency } = payload.transaction;
  return `${event_name} ${amount} ${currency}`;
}

/** The status of the last attempt, or its error. */
export function describeResponse(delivery: Delivery): string {
  const result = delivery.attempts.at(-1)?.result;
  if (result === undefined) return 'not sent';
  return 'status' in result ? String(result.status) : printable(result.error);
}

/** Such as `order-1 is paid after 1 event`. */
export function describeOrder({ order_id, mode, status, events }: Order): string {
  const count = events.length === 1 ? '1 event' : `${events.length} events`;
  const where = mode === 'sandbox' ? ' in the sandbox' : '';
  return `${printable(order_id)} is ${status}${where} after ${count}`;
}

/** Four characters that are easy to distinguish and form no word. */
export function randomSuffix(): string {
  const alphabet = 'bcdfghjkmnpqrstvwxz23456789';
  return Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
