import { createSender, type Delivery, noRetries, type Simulator } from '@payhooks/payment-service/simulator';
import type { Notification } from './steps.ts';

export interface DeliveryOptions {
  readonly webhookUrl: string;
  readonly paymentService: Pick<Simulator, 'emit'>;
  readonly privateKey: string;
  readonly sandboxKey: string;
  readonly signatureHeader: string;
  readonly signal: AbortSignal;
  /** Resolves when `signal` aborts. */
  readonly stopped: Promise<unknown>;
}

/** A 503 in the first moments does not end the demo. */
const schedule = { ...noRetries, pausesMilliseconds: [250, 1_000], attemptTimeoutMilliseconds: 5_000 };

/** Resolves with `undefined` when no webhook is registered for the event, or when stopped. */
export async function deliver(
  { body, from }: Notification,
  options: DeliveryOptions,
): Promise<Delivery | undefined> {
  const { signal, webhookUrl: url, signatureHeader } = options;
  if (signal.aborted) return undefined;
  if ('event' in from) {
    const stopped = options.stopped.then(() => []);
    const records = await Promise.race([options.paymentService.emit(from.event), stopped]);
    return records.find(({ delivery }) => delivery.url === url)?.delivery;
  }
  const keys = { forger: 'pri_unknown_key', live: options.privateKey, sandbox: options.sandboxKey };
  const retries = from.signer === 'forger' ? noRetries : schedule;
  const sender = createSender({ url, signatureHeader, schedule: retries });
  return sender.deliver({ body, privateKey: keys[from.signer], signal });
}
