import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { privateKeyPattern, signatureOf } from '../../private-key.ts';
import { defaultRetrySchedule, pauseAfter, type RetrySchedule } from './retry-schedule.ts';

export interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly result: { readonly status: number; readonly body: string } | { readonly error: string };
}

/** A body on its way to one URL (API document 4.5 and 6). */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly body: Uint8Array;
  readonly state: 'pending' | 'delivered' | 'failed' | 'stopped';
  readonly attempts: readonly Attempt[];
  /** When the pending retry is due; `null` without one. */
  readonly retryAt: string | null;
}

export interface DeliveryOptions {
  readonly url: string;
  /** Signed and sent exactly as given. */
  readonly body: Uint8Array;
  readonly privateKey: string;
  /** Default: the document's neutral name, X-SERVICE-SIGNATURE. */
  readonly signatureHeader?: string;
  readonly schedule?: RetrySchedule;
  readonly signal?: AbortSignal;
  /** Gets the delivery before its first attempt, after each attempt, and when it is stopped. */
  readonly onUpdate?: (delivery: Delivery) => void;
}

const bodyBytesMax = 1_024;

/**
 * What the payment service does with a body: it signs it, and sends it until it is acknowledged. Settles when
 * the delivery has ended, whatever its state. Rejects only for a malformed private key.
 */
export async function sendUntilAcknowledged(options: DeliveryOptions): Promise<Delivery> {
  const { url, privateKey, schedule = defaultRetrySchedule, onUpdate } = options;
  const { signatureHeader = 'X-SERVICE-SIGNATURE', signal = new AbortController().signal } = options;
  if (!privateKeyPattern.test(privateKey)) {
    throw new TypeError('The private key does not have the form pri_<identifier>.');
  }
  // A copy: the signature and every retry are of these bytes, whatever the caller does with its own.
  const body = Buffer.from(options.body);
  const signature = { [signatureHeader]: signatureOf(body, privateKey) };
  const request = { body, headers: { 'content-type': 'application/json', ...signature } };
  const id = randomUUID();
  let delivery: Delivery = { id, url, body, state: 'pending', attempts: [], retryAt: null };
  function update(change: Partial<Delivery>): Delivery {
    delivery = { ...delivery, ...change };
    onUpdate?.(delivery);
    return delivery;
  }
  update({});
  while (!signal.aborted) {
    const number = delivery.attempts.length + 1;
    const at = new Date().toISOString();
    const timeout = AbortSignal.timeout(schedule.attemptTimeoutMilliseconds);
    const { result, isAcknowledged, headers } = await attemptOnce(url, request, { signal, timeout });
    const isOver = isAcknowledged || signal.aborted;
    const milliseconds = isOver ? undefined : pauseAfter(schedule, number, headers);
    const ended = signal.aborted ? 'stopped' : 'failed';
    const unacknowledged = milliseconds === undefined ? ended : 'pending';
    const state = isAcknowledged ? 'delivered' : unacknowledged;
    const retryAt = milliseconds === undefined ? null : new Date(Date.now() + milliseconds).toISOString();
    update({ state, attempts: [...delivery.attempts, { number, at, result }], retryAt });
    if (milliseconds === undefined) return delivery;
    // An aborted pause ends early; the loop's condition then ends the delivery.
    await pause(milliseconds, undefined, { signal }).catch(() => undefined);
  }
  return update({ state: 'stopped', retryAt: null });
}

async function attemptOnce(
  url: string,
  request: Pick<RequestInit, 'body' | 'headers'>,
  { signal, timeout }: Readonly<Record<'signal' | 'timeout', AbortSignal>>,
) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      ...request,
      // Only 2xx acknowledges (API document 6); following a redirect would send the event elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    });
    const result = { status: response.status, body: await beginningOf(response) };
    return { result, isAcknowledged: response.ok, headers: response.headers };
  } catch (error) {
    const reason = timeout.aborted ? 'timeout' : reasonOf(error);
    return { result: { error: reason }, isAcknowledged: false, headers: new Headers() };
  }
}

/** The status line decides; a body that is too long or breaks off does not change it. */
async function beginningOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes >= bodyBytesMax) break;
    }
  } catch {
    // What has come is shown in the history.
  }
  return Buffer.concat(chunks).subarray(0, bodyBytesMax).toString('utf8');
}

/** The cause of "fetch failed" has the code, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return message;
}
