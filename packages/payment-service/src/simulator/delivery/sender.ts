import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigningKey, sign } from '../../../../../lambdas/domain/signature.ts';
import { defaultRetrySchedule, pauseAfter, type RetrySchedule } from './retry-timing.ts';

/** What was sent once, and how the endpoint answered. */
export interface Attempt {
  /** Counts from 1. */
  readonly number: number;
  readonly at: string;
  readonly result: { readonly status: number; readonly answer: string } | { readonly error: string };
}

/** A record of the webhook history: each attempt, and whether a retry is pending (API document 4.5 and 6). */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly body: Uint8Array;
  readonly state: 'pending' | 'delivered' | 'failed' | 'stopped';
  readonly attempts: readonly Attempt[];
  /** When the pending retry is due; `null` without one. */
  readonly retryAt: string | null;
}

export interface SenderOptions {
  readonly url: string;
  /** The document's neutral name is X-SERVICE-SIGNATURE. */
  readonly signatureHeader?: string;
  readonly fetch?: typeof fetch;
  readonly schedule?: RetrySchedule;
  readonly onAttempt?: (attempt: Attempt, delivery: Delivery) => void;
}

export interface Notification {
  /** Signed and sent exactly as given. */
  readonly body: Uint8Array;
  readonly privateKey: string;
  readonly signal?: AbortSignal;
}

export interface Sender {
  /**
   * Settles when the receiver answered 2xx, when the schedule is used up, or when the signal stops it: all
   * of that is in the delivery. Rejects only for a private key that is none.
   */
  deliver(notification: Notification): Promise<Delivery>;
  /** The latest deliveries, oldest first, the pending ones included. */
  history(): readonly Delivery[];
}

const historyDeliveriesMax = 1_000;
const answerBytesMax = 1_024;

/** The part of the payment service that signs notifications and sends them until they are acknowledged. */
export function createSender(options: SenderOptions): Sender {
  const history = new Map<string, Delivery>();

  const remember = (delivery: Delivery): Delivery => {
    history.set(delivery.id, delivery);
    const [oldest] = history.keys();
    if (history.size > historyDeliveriesMax && oldest !== undefined) history.delete(oldest);
    return delivery;
  };

  const deliver = async ({ body, privateKey, signal }: Notification): Promise<Delivery> => {
    // A copy: the signature and every retry are about the bytes of this moment, whatever the caller does
    // with its own.
    const bytes = Uint8Array.from(body);
    const send = createAttempt({ ...options, privateKey, body: bytes, signal });
    let delivery: Delivery = {
      id: randomUUID(),
      url: options.url,
      body: bytes,
      state: 'pending',
      attempts: [],
      retryAt: null,
    };
    remember(delivery);
    while (!signal?.aborted) {
      const { attempt, retryInMilliseconds } = await send(delivery.attempts.length + 1);
      delivery = remember({
        ...delivery,
        state: stateAfter(attempt, { retries: retryInMilliseconds !== undefined, signal }),
        attempts: [...delivery.attempts, attempt],
        retryAt: retryInMilliseconds === undefined ? null : timeIn(retryInMilliseconds),
      });
      options.onAttempt?.(attempt, delivery);
      if (retryInMilliseconds === undefined) return delivery;
      // An aborted pause ends early; the loop's condition then ends the delivery.
      await pause(retryInMilliseconds, undefined, { ...(signal && { signal }) }).catch(() => undefined);
    }
    return remember({ ...delivery, state: 'stopped', retryAt: null });
  };

  return { deliver, history: () => [...history.values()] };
}

interface AttemptOptions extends SenderOptions {
  readonly privateKey: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal | undefined;
}

/** Signs once and returns the function that makes one attempt. */
function createAttempt(options: AttemptOptions) {
  const { schedule = defaultRetrySchedule, fetch: request = fetch, signal, body } = options;
  const headers = {
    'content-type': 'application/json',
    [options.signatureHeader ?? 'X-SERVICE-SIGNATURE']: sign(createSigningKey(options.privateKey), body),
  };
  return async (number: number): Promise<{ attempt: Attempt; retryInMilliseconds: number | undefined }> => {
    const at = new Date().toISOString();
    const timeout = AbortSignal.timeout(schedule.attemptTimeoutMilliseconds);
    let result: Attempt['result'];
    let retryAfter: string | null = null;
    try {
      const response = await request(options.url, {
        method: 'POST',
        headers,
        body,
        // Only 2xx acknowledges (API document 6); a redirect followed would send the event somewhere else.
        redirect: 'manual',
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      retryAfter = response.headers.get('retry-after');
      result = { status: response.status, answer: await readAnswer(response) };
    } catch (error) {
      result = { error: describe(error) };
    }
    const retries = !isAcknowledged(result) && !signal?.aborted;
    const failed = { number, retryAfter, now: Date.now() };
    return {
      attempt: { number, at, result },
      retryInMilliseconds: retries ? pauseAfter(schedule, failed) : undefined,
    };
  };
}

function stateAfter(
  attempt: Attempt,
  next: { readonly retries: boolean; readonly signal: AbortSignal | undefined },
): Delivery['state'] {
  if (isAcknowledged(attempt.result)) return 'delivered';
  if (next.retries) return 'pending';
  return next.signal?.aborted ? 'stopped' : 'failed';
}

const isAcknowledged = (result: Attempt['result']): boolean =>
  'status' in result && result.status >= 200 && result.status < 300;

const timeIn = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/**
 * The beginning of the answer. A receiver that goes on talking, or stops halfway, has answered all the same.
 */
async function readAnswer(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > answerBytesMax) break;
    }
  } catch {
    // The status line was the answer; its text is for the reader of the history only.
  }
  return Buffer.concat(chunks).subarray(0, answerBytesMax).toString('utf8');
}

/** `fetch failed` says nothing; its cause has the code, such as ECONNREFUSED. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name === 'TimeoutError' ? 'timeout' : error.message;
}
