import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, Delivery, Outcome } from '../history.ts';
import type { Random } from '../random.ts';
import type { PlannedDelivery } from '../workload/deliveries.ts';
import type { Keys } from '../workload/keys.ts';
import { attemptsOf, sign } from '../workload/senders.ts';

const sendersAtOnce = 6;
const pauseMilliseconds = 100;

/** Where webhooks go, and what the payment service signs them with. */
export interface Receiver {
  readonly url: string;
  readonly signatureHeader: string;
  readonly keys: Pick<Keys, 'current'>;
}

/** Delivers webhooks over HTTP, several at a time, each until a 2xx or its last attempt. */
export async function sendAll(
  planned: readonly PlannedDelivery[],
  receiver: Receiver,
  random: Random,
): Promise<Delivery[]> {
  const left = planned.toSorted((a, b) => a.after - b.after);
  const deliveries: Delivery[] = [];
  const sender = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const attempts: Attempt[] = [];
      const { kind, mode, body, meant } = next;
      const ours = kind.startsWith('genuine') ? mode : undefined;
      const sent = { kind, mode: ours, body: body.toString('base64'), meant, attempts };
      deliveries.push({ number: deliveries.length, ...sent });
      for (let count = 1; count <= attemptsOf(next); count += 1) {
        if (count > 1) await pause(pauseMilliseconds * count);
        const at = Date.now();
        const { key, signature: exact } = sign(next, receiver.keys, random);
        // HTTP drops a space at the end of a header.
        const signed = { key, signature: exact?.replace(/ $/, '_') };
        const outcome = await post(receiver, body, signed.signature);
        attempts.push({ at, endedAt: Date.now(), ...signed, outcome });
        if (outcome.kind === 'status' && outcome.status < 300) break;
      }
    }
  };
  await Promise.all(Array.from({ length: sendersAtOnce }, sender));
  return deliveries;
}

async function post(
  { url, signatureHeader }: Receiver,
  body: Buffer,
  signature: string | undefined,
): Promise<Outcome> {
  const headers = {
    'content-type': 'application/octet-stream',
    ...(signature !== undefined && { [signatureHeader]: signature }),
  };
  try {
    const response = await fetch(url, { method: 'POST', body: new Uint8Array(body), headers });
    return { kind: 'status', status: response.status, body: await response.text() };
  } catch {
    return { kind: 'unknown' };
  }
}
