import type { Webhook } from '../account/webhooks.ts';
import type { RetrySchedule } from './retry-schedule.ts';
import { type Delivery, type DeliveryOptions, sendUntilAcknowledged } from './sender.ts';

export interface Notification extends Pick<DeliveryOptions, 'body' | 'privateKey'> {
  readonly webhook: Webhook;
  readonly eventId: string;
  readonly eventName: string;
}

export interface DeliveryRecord {
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly delivery: Delivery;
}

export interface NotifierOptions {
  /** A function where it is known only after the start. */
  readonly signatureHeader?: () => string;
  readonly schedule?: RetrySchedule;
}

export type Notifier = ReturnType<typeof createNotifier>;

const recordsMax = 1_000;

/** Signs and sends notifications, and records their deliveries. */
export function createNotifier({ signatureHeader, schedule }: NotifierOptions) {
  const records = new Map<string, DeliveryRecord>();
  const running = new Map<AbortController, { webhookId: string; done: Promise<unknown> }>();

  return {
    /** Settles when the delivery has ended. */
    notify({ webhook, eventId, eventName, ...signed }: Notification): Promise<DeliveryRecord> {
      const recordOf = (delivery: Delivery) => ({ webhookId: webhook.id, eventId, eventName, delivery });
      const abort = new AbortController();
      const done = sendUntilAcknowledged({
        ...{ ...signed, url: webhook.url, signal: abort.signal },
        ...(signatureHeader && { signatureHeader: signatureHeader() }),
        ...(schedule && { schedule }),
        onUpdate(delivery) {
          records.set(delivery.id, recordOf(delivery));
          const [oldest = ''] = records.keys();
          if (records.size > recordsMax) records.delete(oldest);
        },
      }).then(recordOf);
      running.set(abort, { webhookId: webhook.id, done });
      void done.finally(() => running.delete(abort));
      return done;
    },
    /** The latest deliveries, oldest first. */
    records: (): readonly DeliveryRecord[] => [...records.values()],
    /** Also ends pending retries. */
    cancel(webhookId: string): void {
      for (const [abort, delivery] of running) if (delivery.webhookId === webhookId) abort.abort();
    },
    async stop(): Promise<void> {
      for (const abort of running.keys()) abort.abort();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
