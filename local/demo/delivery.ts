import { once } from 'node:events';
import type { Simulator } from '@payhooks/payment-service/simulator';
import {
  createSender,
  type Delivery,
  noRetries,
  type RetrySchedule,
} from '@payhooks/payment-service/simulator';
import type { Sent } from './script.ts';

export interface DeliveryOptions {
  readonly webhookUrl: string;
  readonly paymentService: Pick<Simulator, 'emit'>;
  readonly privateKey: string;
  readonly sandboxKey: string;
  readonly signatureHeader: string;
  readonly signal: AbortSignal;
}

/** A 503 in the first moments is no reason to end the story. */
const schedule = { ...noRetries, pausesMilliseconds: [250, 1_000], attemptTimeoutMilliseconds: 5_000 };

/**
 * Sends a notification the way that it really goes; `undefined` when nothing is registered for it, or when
 * stopped.
 */
export async function deliver(sent: Sent, options: DeliveryOptions): Promise<Delivery | undefined> {
  const { signal, webhookUrl } = options;
  if (signal.aborted) return undefined;
  if (sent.by !== 'service') return post(sent, options);
  const stopped = new AbortController();
  const records = await Promise.race([
    options.paymentService.emit(sent.event),
    // The deliveries themselves end with the payment service.
    once(signal, 'abort', { signal: stopped.signal }).then(
      () => [],
      () => [],
    ),
  ]).finally(() => stopped.abort());
  return records.find(({ delivery }) => delivery.url === webhookUrl)?.delivery;
}

function post(sent: Exclude<Sent, { by: 'service' }>, options: DeliveryOptions): Promise<Delivery> {
  const { webhookUrl: url, signatureHeader, signal } = options;
  const keys = { forger: 'pri_of_somebody_else', live: options.privateKey, sandbox: options.sandboxKey };
  // A forger who is refused does not try again; the payment service does.
  const retries: RetrySchedule = sent.by === 'forger' ? noRetries : schedule;
  const sender = createSender({ url, signatureHeader, schedule: retries });
  return sender.deliver({ body: sent.body, privateKey: keys[sent.by], signal });
}
