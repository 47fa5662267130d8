import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createOperationsClient,
  createOrderClient,
  type OperationsClient,
  type OrderClient,
} from '@payhooks/order-client';
import {
  bytesOf,
  type Delivery,
  noRetries,
  type RetrySchedule,
  type SampleEvent,
  sendUntilAcknowledged,
} from '@payhooks/payment-service/simulator';
import type { LaboratoryLink, LaboratoryStep } from '../../console/contract/laboratory.ts';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { printable } from '../../operator/printable.ts';
import type { LiveLogEntry } from '../live-log/entry.ts';
import type { LiveLog } from '../live-log/live-log.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** Something that is broken until it ends by itself. */
export interface Fault {
  begin(): Promise<unknown>;
  end(): unknown;
  /** What is true after it. */
  readonly over: string;
}

/** A webhook on its way, and what repeats it. */
export interface Notification {
  readonly body: Uint8Array;
  /** What the payment service would never send is not one. */
  readonly event?: SampleEvent;
  readonly signer: Mode | 'forger';
  /** In place of the signer's key. */
  readonly privateKey?: string | undefined;
  readonly schedule?: RetrySchedule;
  readonly signal: AbortSignal;
}

export type Deliver = (notification: Notification) => Promise<Delivery>;

export interface StageParts {
  readonly pipeline: Pipeline;
  readonly liveLog: Pick<LiveLog, 'subscribe'>;
  /** New in each run; further orders of a run begin with it. */
  readonly orderId: string;
  /** `postSigned` by default. */
  readonly deliver?: Deliver;
  readonly step: (kind: LaboratoryStep['kind'], text: string, link?: LaboratoryLink) => void;
  /** Begins a fault. */
  readonly fail: (fault: Fault) => Promise<void>;
  /** Aborts when local mode stops. */
  readonly signal: AbortSignal;
  /** How long the right end may take, also on a slow machine. */
  readonly patienceMilliseconds?: number;
}

export interface Posting extends Partial<Pick<Notification, 'signer' | 'privateKey'>> {
  /** The response, or the code of the error; 202 by default. */
  readonly expected?: string;
}

/** What a scenario works with: it sends webhooks, looks at what became of them, and breaks things. */
export interface Stage extends Pick<StageParts, 'pipeline' | 'orderId' | 'step' | 'fail' | 'signal'> {
  readonly orders: OrderClient;
  readonly operations: OperationsClient;
  /** Signs and posts an event or a body. Rejects with an AssertionError for another response. */
  post(what: SampleEvent | Uint8Array, posting?: Posting): Promise<void>;
  /** The same; then it waits until the consumer has handled what was accepted. */
  send(what: SampleEvent | Uint8Array, posting?: Posting): Promise<void>;
  /** Looks again and again until a sight passes; rejects with an AssertionError about the last one. */
  until<T>(look: () => Promise<T>, passes: (sight: T) => boolean, describe: (sight: T) => string): Promise<T>;
}

const lookMilliseconds = 200;

export function createStage(parts: StageParts): Stage {
  const { pipeline, liveLog, orderId, step, fail, signal } = parts;
  const { deliver = postSigned(pipeline), patienceMilliseconds = 180_000 } = parts;
  const client = { baseUrl: pipeline.baseUrl, credentials: false } as const;

  async function post(what: SampleEvent | Uint8Array, posting: Posting = {}): Promise<void> {
    const { expected = '202', privateKey } = posting;
    const event = what instanceof Uint8Array ? undefined : what;
    const signer = posting.signer ?? (event?.sandbox ? 'sandbox' : 'live');
    const delivery = await deliver({
      ...{ body: bodyOf(what), signer, privateKey, signal },
      ...(expected !== '202' && { schedule: noRetries }),
      ...(event && { event }),
    });
    const response = responseOf(delivery);
    step('sent', `${describe(what)} → ${response}`);
    assert(response === expected, `The response was ${response}, not ${expected}.`);
  }

  return {
    ...{ pipeline, orderId, step, fail, signal, post },
    orders: createOrderClient(client),
    operations: createOperationsClient(client),
    async send(what, posting) {
      using watch = watchHandling(bodyOf(what), liveLog);
      await post(what, posting);
      if (posting?.expected !== undefined) return;
      const entry = await Promise.race([
        watch.handled,
        pause(patienceMilliseconds, undefined, { signal, ref: false }),
      ]);
      assert(entry !== undefined, `Not handled within ${patienceMilliseconds / 1_000} seconds.`);
      const { outcome = 'handled', event_id: id, mode } = entry.fields;
      const isMode = mode === 'live' || mode === 'sandbox';
      const link = id && isMode ? ({ page: 'event', id, mode } as const) : undefined;
      const milliseconds = entry.sinceAcceptedMilliseconds;
      step('recorded', `as ${outcome}${milliseconds === null ? '' : `, after ${milliseconds} ms`}`, link);
    },
    async until(look, passes, describe) {
      const end = performance.now() + patienceMilliseconds;
      for (;;) {
        const sight = await look();
        if (passes(sight)) return sight;
        if (performance.now() > end) assert.fail(describe(sight));
        await pause(lookMilliseconds, undefined, { signal });
      }
    },
  };
}

/** A 503 in the first moments ends nothing. */
const defaultSchedule = { ...noRetries, pausesMilliseconds: [250, 1_000], attemptTimeoutMilliseconds: 5_000 };

/** Signs and posts a body, also what the payment service would never send. */
export function postSigned({ baseUrl, resources, keys }: Pipeline): Deliver {
  return async function deliver({ body, signer, schedule = defaultSchedule, signal, ...given }) {
    const { signatureHeader } = resources;
    const { privateKey = { ...keys, forger: 'pri_unknown_key' }[signer] } = given;
    const url = `${baseUrl}/webhooks/payments`;
    return sendUntilAcknowledged({ url, body, privateKey, signatureHeader, schedule, signal });
  };
}

export const bodyOf = (what: SampleEvent | Uint8Array): Uint8Array =>
  what instanceof Uint8Array ? what : bytesOf(what);

/** Such as `transaction.paid 100.00 USD`. */
function describe(what: SampleEvent | Uint8Array): string {
  if (what instanceof Uint8Array) return `${what.length} bytes`;
  const { amount, currency } = what.payload.transaction;
  return `${what.event_name} ${amount} ${currency}`;
}

/** The status of the last attempt, or its error. */
function responseOf(delivery: Delivery): string {
  const result = delivery.attempts.at(-1)?.result;
  if (result === undefined) return 'not sent';
  return 'status' in result ? String(result.status) : printable(result.error);
}

/** Resolves with the consumer's log line about a body: a duplicate leaves no other trace. */
function watchHandling(body: Uint8Array, liveLog: Pick<LiveLog, 'subscribe'>) {
  const sha256 = sha256Of(body);
  const { promise: handled, resolve } = Promise.withResolvers<LiveLogEntry>();
  const unsubscribe = liveLog.subscribe((entry) => {
    if (entry.message === 'event handled' && entry.fields.body_sha256 === sha256) resolve(entry);
  });
  return { handled, [Symbol.dispose]: unsubscribe };
}

export const sha256Of = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

/** Four characters that are easy to distinguish and form no word. */
export function randomSuffix(): string {
  const alphabet = 'bcdfghjkmnpqrstvwxz23456789';
  return Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
