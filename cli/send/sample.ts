import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { fieldsOf, parseJson } from '../json-text.ts';
import { CommandError } from '../outcome.ts';

export interface SampleWish {
  readonly event: string;
  readonly order: string;
  readonly transaction?: string;
  readonly amount: string;
  readonly currency: string;
  readonly sandbox?: true;
}

/** What a body says of itself, as far as it is an event (API document 2.3). */
export interface About {
  readonly eventId?: string;
  readonly eventName?: string;
  readonly orderId?: string;
  readonly sandbox?: boolean;
}

const samples = {
  'transaction.paid': paidEvent,
  'transaction.refunded': refundedEvent,
  'transaction.failed': failedEvent,
} as const;

export function sampleBody({ event, order, transaction, ...wish }: SampleWish): Buffer {
  if (!/^[^\s.]+(\.[^\s.]+)+$/.test(event)) {
    throw new CommandError('wrongUsage', '--event takes a name such as transaction.paid.');
  }
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(wish.amount)) {
    throw new CommandError('wrongUsage', '--amount takes a number such as 100.00.');
  }
  const options = {
    orderId: order,
    amount: wish.amount,
    currency: wish.currency,
    sandbox: wish.sandbox === true,
    ...(transaction !== undefined && { transactionId: transaction }),
  };
  const known = Object.hasOwn(samples, event) ? samples[event as keyof typeof samples] : undefined;
  const made = known?.(options) ?? unknownEvent({ ...options, eventName: event });
  return Buffer.from(bytesOf(made));
}

export function aboutOf(body: Uint8Array): About {
  const event = fieldsOf(parseJson(Buffer.from(body).toString('utf8')));
  const transaction = fieldsOf(fieldsOf(event['payload'])['transaction']);
  const { id, event_name: eventName, sandbox } = event;
  const { order_id: orderId } = transaction;
  return {
    ...(typeof id === 'string' && { eventId: id }),
    ...(typeof eventName === 'string' && { eventName }),
    ...(typeof orderId === 'string' && { orderId }),
    ...(typeof sandbox === 'boolean' && { sandbox }),
  };
}
