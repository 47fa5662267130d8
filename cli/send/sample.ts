import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';

export interface SampleOptions {
  readonly event: string;
  readonly order: string;
  readonly transaction?: string;
  readonly amount: string;
  readonly currency: string;
  readonly sandbox?: true;
}

const samples = {
  'transaction.paid': paidEvent,
  'transaction.refunded': refundedEvent,
  'transaction.failed': failedEvent,
} as const;

export function sampleBody({ event, order, transaction, ...rest }: SampleOptions): Buffer {
  const options = {
    orderId: order,
    amount: rest.amount,
    currency: rest.currency,
    sandbox: rest.sandbox === true,
    ...(transaction !== undefined && { transactionId: transaction }),
  };
  const known = Object.hasOwn(samples, event) ? samples[event as keyof typeof samples] : undefined;
  const made = known?.(options) ?? unknownEvent({ ...options, eventName: event });
  return Buffer.from(bytesOf(made));
}
