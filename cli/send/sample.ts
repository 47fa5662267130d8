import {
  bytesOf,
  failedEvent,
  paidEvent,
  refundedEvent,
  unknownEvent,
} from '@payhooks/payment-service/simulator';
import { CommandError } from '../command-error.ts';

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
  if (!/^[^\s.]+(\.[^\s.]+)+$/.test(event)) {
    throw new CommandError('wrongUsage', '--event takes a name such as transaction.paid.');
  }
  if (!/^\d{1,30}(\.\d{1,30})?$/.test(rest.amount)) {
    throw new CommandError('wrongUsage', '--amount takes a number such as 100.00.');
  }
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
