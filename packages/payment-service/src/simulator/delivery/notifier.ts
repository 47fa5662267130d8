import { setTimeout as pause } from 'node:timers/promises';
import type { Webhook } from '../account/webhooks.ts';
import { createFaultyFetch } from './faulty-fetch.ts';
import { createHolding } from './holding.ts';
import { isAttemptFault, type Misbehaviour } from './misbehaviour.ts';
import { createRandom } from './random.ts';
import { defaultRetrySchedule, type RetrySchedule } from './retry-schedule.ts';
import { type Attempt, createSender, type Delivery, defaultHeader } from './sender.ts';

/** An event on its way to one webhook. */
export interface Notification {
  readonly webhook: Webhook;
  readonly eventId: string;
  readonly eventName: string;
  /** Signed and sent exactly as given. */
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
  /** Decides the random parts of misbehaving. */
  readonly seed?: number;
  readonly onAttempt?: (attempt: Attempt, record: DeliveryRecord) => void;
}

export type Notifier = ReturnType<typeof createNotifier>;

/** One delivery of a notification. */
interface Shipment {
  readonly notification: Notification;
  readonly misbehaviours: readonly Misbehaviour[];
  readonly abort: AbortController;
  readonly firstAttempt: PromiseWithResolvers<void>;
  delivery?: Delivery;
}

const recordsMax = 1_000;

/** Signs and sends notifications, records their deliveries, and misbehaves on demand. */
export function createNotifier(options: NotifierOptions) {
  const random = createRandom(options.seed ?? 1);
  const holding = createHolding(random);
  const shipments: Shipment[] = [];
  const running = new Map<Shipment, Promise<unknown>>();
  let misbehaviours: readonly Misbehaviour[] = [];

  function ship(notification: Notification, chosen: readonly Misbehaviour[]): Promise<DeliveryRecord> {
    const [abort, firstAttempt] = [new AbortController(), Promise.withResolvers<void>()];
    const shipment: Shipment = { notification, misbehaviours: chosen, abort, firstAttempt };
    shipments.push(shipment);
    if (shipments.length > recordsMax) shipments.shift();
    const done = Promise.withResolvers<DeliveryRecord>();
    const delay = chosen.find((one) => one.kind === 'delay');
    const milliseconds = delay === undefined ? 0 : Math.ceil(random() * delay.millisecondsMax);
    function send(): Promise<void> {
      done.resolve(deliver(shipment, milliseconds, options));
      return firstAttempt.promise;
    }
    running.set(shipment, done.promise);
    void done.promise.finally(() => running.delete(shipment));
    const held = chosen.find((one) => one.kind === 'reorder' || one.kind === 'burst');
    if (held === undefined) void send();
    else holding.add(held.kind, held.size, send);
    return done.promise;
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
    records: (): readonly DeliveryRecord[] =>
      shipments.flatMap(({ notification, delivery }) => (delivery ? [recordOf(notification, delivery)] : [])),
    /** Stops the deliveries to this webhook, including pending retries. */
    cancel(webhookId: string): void {
      for (const { notification, abort } of running.keys()) {
        if (notification.webhook.id === webhookId) abort.abort();
      }
    },
    async stop(): Promise<void> {
      for (const { abort } of running.keys()) abort.abort();
      holding.flush();
      await Promise.allSettled(running.values());
    },
  };
}

async function deliver(
  shipment: Shipment,
  milliseconds: number,
  options: NotifierOptions,
): Promise<DeliveryRecord> {
  const { notification, misbehaviours, abort, firstAttempt } = shipment;
  const { signatureHeader: header = defaultHeader, schedule = defaultRetrySchedule } = options;
  const { signal } = abort;
  // A delay that a stop cuts short ends in a delivery without an attempt.
  if (milliseconds > 0) await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  const signatureHeader = typeof header === 'function' ? header() : header;
  const faults = misbehaviours.filter(isAttemptFault);
  const sender = createSender({
    url: notification.webhook.url,
    signatureHeader,
    schedule,
    ...(faults.length > 0 && { fetch: createFaultyFetch(faults, signatureHeader) }),
    onUpdate(delivery, attempt) {
      shipment.delivery = delivery;
      if (attempt === undefined) return;
      options.onAttempt?.(attempt, recordOf(notification, delivery));
      firstAttempt.resolve();
    },
  });
  const { body, privateKey } = notification;
  const delivery = await sender.deliver({ body, privateKey, signal }).finally(firstAttempt.resolve);
  return recordOf(notification, delivery);
}

function recordOf({ webhook, eventId, eventName }: Notification, delivery: Delivery): DeliveryRecord {
  return { webhookId: webhook.id, eventId, eventName, delivery };
}
