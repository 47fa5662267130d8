import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Webhook } from '../account/webhooks.ts';
import { createFaultyFetch, type Pause } from './faulty-fetch.ts';
import { createHolding } from './holding.ts';
import type { AttemptFault, Misbehaviour } from './misbehaviour.ts';
import { createRandom } from './random.ts';
import { defaultRetrySchedule, type RetrySchedule } from './retry-timing.ts';
import { type Attempt, createSender, type Delivery, type Sender } from './sender.ts';

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
  /** Decides whatever is left to chance in misbehaving. */
  readonly seed?: number;
  /** Waits, in delays and in slow reading. */
  readonly pause?: Pause;
  readonly onAttempt?: (attempt: Attempt, record: DeliveryRecord) => void;
}

export interface Notifier {
  /** Settles when every delivery of it has ended, the duplicates included. */
  notify(notification: Notification): Promise<readonly DeliveryRecord[]>;
  misbehave(misbehaviours: readonly Misbehaviour[]): void;
  /** Lets go of what is held back for a reordering or a burst. */
  flush(): void;
  /** The latest deliveries, oldest first; what is still held back or delayed is not among them. */
  records(): readonly DeliveryRecord[];
  /** Stops what is under way to this webhook, pending retries included. */
  cancel(webhookId: string): void;
  stop(): Promise<void>;
}

interface Entry {
  readonly notification: Notification;
  readonly sender: Sender;
  readonly abort: AbortController;
  readonly firstAttempt: PromiseWithResolvers<void>;
}

const recordsMax = 1_000;
const defaultPause: Pause = (milliseconds, signal) => pauseFor(milliseconds, undefined, { signal });

/** Signs and sends notifications, keeps what came of them, and misbehaves on demand. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { pause = defaultPause } = options;
  const random = createRandom(options.seed ?? 1);
  const holding = createHolding(random);
  const entries: Entry[] = [];
  const running = new Map<Entry, Promise<unknown>>();
  let misbehaviours: readonly Misbehaviour[] = [];

  const ship = (notification: Notification, chosen: readonly Misbehaviour[]): Promise<DeliveryRecord> => {
    const entry = createEntry(notification, chosen.filter(isAttemptFault), { ...options, pause });
    entries.push(entry);
    if (entries.length > recordsMax) entries.shift();
    const done = Promise.withResolvers<DeliveryRecord>();
    const delay = chosen.find((one) => one.kind === 'delay');
    const milliseconds = delay === undefined ? 0 : Math.ceil(random() * delay.millisecondsMax);
    const send = (): Promise<void> => {
      done.resolve(deliver(entry, milliseconds, pause));
      return entry.firstAttempt.promise;
    };
    running.set(entry, done.promise);
    void done.promise.finally(() => running.delete(entry));
    const held = chosen.find((one) => one.kind === 'reorder' || one.kind === 'burst');
    if (held === undefined) void send();
    else holding.add(held.kind, held.size, send);
    return done.promise;
  };

  return {
    notify(notification) {
      const chosen = misbehaviours.filter(({ share = 1 }) => random() < share);
      const copies = chosen.reduce((sum, one) => sum + (one.kind === 'duplicate' ? one.copies : 0), 1);
      return Promise.all(Array.from({ length: copies }, () => ship(notification, chosen)));
    },
    misbehave(given) {
      misbehaviours = given;
      holding.flush();
    },
    flush: () => holding.flush(),
    records: () => entries.flatMap((entry) => recordOf(entry) ?? []),
    cancel(webhookId) {
      for (const { notification, abort } of running.keys()) {
        if (notification.webhook.id === webhookId) abort.abort();
      }
    },
    async stop() {
      for (const { abort } of running.keys()) abort.abort();
      holding.flush();
      await Promise.allSettled(running.values());
    },
  };
}

function createEntry(
  notification: Notification,
  faults: readonly AttemptFault[],
  options: NotifierOptions & { readonly pause: Pause },
): Entry {
  const { signatureHeader: header = 'X-SERVICE-SIGNATURE', schedule = defaultRetrySchedule, pause } = options;
  const signatureHeader = typeof header === 'function' ? header() : header;
  const firstAttempt = Promise.withResolvers<void>();
  const sender = createSender({
    url: notification.webhook.url,
    signatureHeader,
    schedule,
    ...(faults.length > 0 && { fetch: createFaultyFetch({ faults, signatureHeader, pause }) }),
    onAttempt: (attempt, delivery) => {
      options.onAttempt?.(attempt, named(notification, delivery));
      firstAttempt.resolve();
    },
  });
  return { notification, sender, abort: new AbortController(), firstAttempt };
}

async function deliver(entry: Entry, milliseconds: number, pause: Pause): Promise<DeliveryRecord> {
  const { notification, sender, abort, firstAttempt } = entry;
  const { signal } = abort;
  // A delay that is cut short by a stop ends in a delivery without an attempt.
  if (milliseconds > 0) await pause(milliseconds, signal).catch(() => undefined);
  const { body, privateKey } = notification;
  const delivery = await sender.deliver({ body, privateKey, signal }).finally(firstAttempt.resolve);
  return named(notification, delivery);
}

function recordOf({ notification, sender }: Entry): DeliveryRecord | undefined {
  const [delivery] = sender.history();
  return delivery && named(notification, delivery);
}

function named({ webhook, eventId, eventName }: Notification, delivery: Delivery): DeliveryRecord {
  return { webhookId: webhook.id, eventId, eventName, delivery };
}

const attemptFaults = ['wrong_key', 'reserialised_body', 'slow_reading', 'dropped_connection'];
const isAttemptFault = (one: Misbehaviour): one is Misbehaviour & AttemptFault =>
  attemptFaults.includes(one.kind);
