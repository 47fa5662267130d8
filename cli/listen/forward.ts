import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { CommandError } from '../../operator/operator-error.ts';
import { isAccepted, post } from '../send/post.ts';
import type { OrderMessage } from './message.ts';

export interface Attempt {
  readonly number: number;
  /** `undefined` without a response; `reason` has why. */
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly milliseconds: number;
  /** Until the next attempt; `undefined` after the last one. */
  readonly retryMilliseconds: number | undefined;
}

export interface Forwarding {
  readonly url: URL;
  readonly secret: string;
  /** Between the attempts. */
  readonly pausesMilliseconds: readonly number[];
  readonly signal: AbortSignal;
  readonly onAttempt: (message: OrderMessage, attempt: Attempt) => void;
}

/**
 * Posts a message until it is acknowledged with 2xx, signed as Standard Webhooks describes: each attempt has
 * the id of the message and its own time. Resolves with whether it was acknowledged.
 */
export async function forward(
  { url, secret, pausesMilliseconds, signal, onAttempt }: Forwarding,
  message: OrderMessage,
): Promise<boolean> {
  const webhook = new Webhook(secret);
  const body = JSON.stringify(message);
  for (let number = 1; !signal.aborted; number += 1) {
    const now = new Date();
    const headers = {
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': webhook.sign(message.id, now, body),
    };
    const begin = performance.now();
    const { status, reason } = await attemptOnce({ url, body: Buffer.from(body), headers, signal });
    const isDone = status !== undefined && isAccepted(status);
    const retryMilliseconds = isDone ? undefined : pausesMilliseconds[number - 1];
    const milliseconds = Math.round(performance.now() - begin);
    // What the stop itself broke off is no result.
    if (signal.aborted && !isDone) return false;
    onAttempt(message, { number, status, reason, milliseconds, retryMilliseconds });
    if (isDone) return true;
    if (retryMilliseconds === undefined) return false;
    await pause(retryMilliseconds, undefined, { signal }).catch(() => undefined);
  }
  return false;
}

async function attemptOnce(delivery: Parameters<typeof post>[0]) {
  try {
    const { status } = await post(delivery);
    return { status, reason: undefined };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { status: undefined, reason: error.message };
  }
}
