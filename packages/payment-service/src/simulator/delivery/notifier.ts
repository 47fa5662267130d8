import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '../account/webhooks.ts';
import { createFaultyFetch } from './faulty-fetch.ts';
import { createHolding } from './holding.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { createRandom } from './random.ts';
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
  /** Decides the random parts of misbehaving. */
  readonly seed?: number;
  readonly onAttempt?: (attempt: Attempt, record: DeliveryRecord) => void;
}

export type Notifier = ReturnType<typeof createNotifier>;

const recordsMax = 1_000;

/** Signs and sends notifications, records their deliveries, and misbehaves on demand. */
export function createNotifier(options: NotifierOptions) {
  const random = createRandom(options.seed ?? 1);
  const holding = createHolding(random);
  const records = new Map<string, DeliveryRecord>();
  const running = new Map<AbortController, { webhookId: string; done: Promise<unknown> }>();
  let misbehaviours: readonly Misbehaviour[] = [];

  function ship(notification: Notification, chosen: readonly Misbehaviour[]): Promise<DeliveryRecord> {
    const abort = new AbortController();
    const { promise: done, resolve } = Promise.withResolvers<DeliveryRecord>();
    const delay = chosen.find((one) => one.kind === 'delay');
    const milliseconds = delay === undefined ? 0 : Math.ceil(random() * delay.millisecondsMax);
    function send(): Promise<void> {
      const { promise: attempted, resolve: onAttempted } = Promise.withResolvers<void>();
      const delivered = deliver(notification, chosen, { milliseconds, signal: abort.signal, onAttempted });
      resolve(delivered.finally(onAttempted));
      return attempted;
    }
    running.set(abort, { webhookId: notification.webhook.id, done });
    void done.finally(() => running.delete(abort));
    const held = chosen.find((one) => one.kind === 'reorder' || one.kind === 'burst');
    if (held === undefined) void send();
    else holding.add(held.kind, held.size, send);
    return done;
  }

  async function deliver(
    notification: Notification,
    chosen: readonly Misbehaviour[],
    {
      milliseconds,
      signal,
      onAttempted,
    }: { milliseconds: number; signal: AbortSignal; onAttempted: () => void },
  ): Promise<DeliveryRecord> {
    const { webhook, eventId, eventName, body, privateKey } = notification;
    const { signatureHeader: header = defaultHeader, schedule = defaultRetrySchedule, onAttempt } = options;
    // A delay that a stop cuts short ends in a delivery without an attempt.
    if (milliseconds > 0) await pause(milliseconds, undefined, { signal }).catch(() => undefined);
    const signatureHeader = typeof header === 'function' ? header() : header;
    const recordOf = (delivery: Delivery) => ({ webhookId: webhook.id, eventId, eventName, delivery });
    function onUpdate(delivery: Delivery, attempt?: Attempt): void {
      const record = recordOf(delivery);
      records.set(delivery.id, record);
      const [oldest = ''] = records.keys();
      if (records.size > recordsMax) records.delete(oldest);
      if (attempt === undefined) return;
      onAttempt?.(attempt, record);
      onAttempted();
    }
    const fetch = createFaultyFetch(chosen, { signatureHeader, fetch: options.fetch ?? globalThis.fetch });
    const sender = createSender({ url: webhook.url, signatureHeader, schedule, onUpdate, fetch });
    return recordOf(await sender.deliver({ body, privateKey, signal }));
  }

  return {
    /** Settles when all deliveries of the notification have ended, including duplicates. */
    notify(notification: Notification): Promise<readonly DeliveryRecord[]> {
      const chosen = misbehaviours.filter(({ share = 1 }) => random() < share);
      const copies = chosen.reduce((sum, one) => sum + (one.kind === 'duplicate' ? one.copies : 0), 1);
      return Promise.all(Array.from({ length: copies }, () => ship(notification, chosen)));
    },
    /** Replaces the misbehaviours and sends what they held back; an empty list is good behaviour. */
    misbehave(given: readonly Misbehaviour[]): void {
      misbehaviours = given;
      holding.flush();
    },
    flush: holding.flush,
    /** The latest deliveries, oldest first, without those that are still held back or delayed. */
    records: (): readonly DeliveryRecord[] => [...records.values()],
    /** Also ends pending retries. */
    cancel(webhookId: string): void {
      for (const [abort, delivery] of running) if (delivery.webhookId === webhookId) abort.abort();
    },
    async stop(): Promise<void> {
      for (const abort of running.keys()) abort.abort();
      holding.flush();
      await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
