import type { Webhook } from '../account/webhooks.ts';
import { type Misbehaviour, misbehavingFetch } from './misbehaviour.ts';
import { defaultRetrySchedule, type RetrySchedule } from './retry-schedule.ts';
import { type Attempt, createSender, type Delivery, defaultHeader } from './sender.ts';

export interface Notification {
  readonly webhook: Webhook;
  readonly eventId: string;
  readonly eventName: string;
  readonly body: Uint8Array;
  readonly privateKey: string;
}

export interface DeliveryRecord {
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventName: string;
  readonly delivery: Delivery;
}

export interface NotifierOptions {
  /** A function where it is known only after the start. */
  readonly signatureHeader?: string | (() => string);
  readonly schedule?: RetrySchedule;
  /** Sends a notification, for example with a client certificate. */
  readonly fetch?: typeof fetch;
  readonly onAttempt?: (attempt: Attempt, record: DeliveryRecord) => void;
}

export type Notifier = ReturnType<typeof createNotifier>;

const recordsMax = 1_000;

/** Signs and sends notifications, records their deliveries, and misbehaves on demand. */
export function createNotifier(options: NotifierOptions) {
  const { signatureHeader: header = defaultHeader, schedule = defaultRetrySchedule, onAttempt } = options;
  const records = new Map<string, DeliveryRecord>();
  const running = new Map<AbortController, { webhookId: string; done: Promise<unknown> }>();
  let misbehaviours: readonly Misbehaviour[] = [];

  function deliver(notification: Notification): Promise<DeliveryRecord> {
    const { webhook, eventId, eventName, body, privateKey } = notification;
    const signatureHeader = typeof header === 'function' ? header() : header;
    const recordOf = (delivery: Delivery) => ({ webhookId: webhook.id, eventId, eventName, delivery });
    function onUpdate(delivery: Delivery, attempt?: Attempt): void {
      const record = recordOf(delivery);
      records.set(delivery.id, record);
      const [oldest = ''] = records.keys();
      if (records.size > recordsMax) records.delete(oldest);
      if (attempt !== undefined) onAttempt?.(attempt, record);
    }
    const fetch = misbehavingFetch(misbehaviours, {
      signatureHeader,
      fetch: options.fetch ?? globalThis.fetch,
    });
    const sender = createSender({ url: webhook.url, signatureHeader, schedule, onUpdate, fetch });
    const abort = new AbortController();
    const done = sender.deliver({ body, privateKey, signal: abort.signal }).then(recordOf);
    running.set(abort, { webhookId: webhook.id, done });
    void done.finally(() => running.delete(abort));
    return done;
  }

  return {
    /** Settles when all deliveries of the notification have ended, including duplicates. */
    notify(notification: Notification): Promise<readonly DeliveryRecord[]> {
      const copies = misbehaviours.reduce((sum, one) => sum + (one.kind === 'duplicate' ? one.copies : 0), 1);
      return Promise.all(Array.from({ length: copies }, () => deliver(notification)));
    },
    /** Replaces the misbehaviours of later notifications; an empty list is good behaviour. */
    misbehave(given: readonly Misbehaviour[]): void {
      misbehaviours = given;
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
