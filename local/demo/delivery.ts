import type { Delivery, Simulator } from '@payhooks/payment-service/simulator';
import { type Posting, postSigned } from '../webhooks/sender.ts';
import type { Notification } from './steps.ts';

export interface DeliveryOptions extends Posting {
  readonly paymentService: Pick<Simulator, 'emit'>;
  /** Resolves when `signal` aborts. */
  readonly stopped: Promise<unknown>;
}

/** Resolves with `undefined` when no webhook is registered for the event, or when stopped. */
export async function deliver(
  { body, from }: Notification,
  options: DeliveryOptions,
): Promise<Delivery | undefined> {
  if (options.signal.aborted) return undefined;
  if ('signer' in from) return postSigned(body, from.signer, options);
  const stopped = options.stopped.then(() => []);
  const records = await Promise.race([options.paymentService.emit(from.event), stopped]);
  return records.find(({ delivery }) => delivery.url === options.webhookUrl)?.delivery;
}
