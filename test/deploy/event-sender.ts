import { setTimeout as pause } from 'node:timers/promises';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { DeployedPipeline } from './deployed-pipeline.ts';

const eventsMax = 1_000;
const attemptsMax = 100;
const pauseMilliseconds = 50;

export interface Sent {
  /** The events that were answered 2xx in the end; each is about an order of the same id. */
  readonly accepted: readonly string[];
  /** What was answered before that, once for each attempt. */
  readonly repeated: readonly string[];
}

/**
 * Sends one event after the other until it is stopped. What is answered with a 5xx, or not at all, it repeats, as the
 * payment service does. A refusal ends it, and `stop` rejects.
 */
export function startSending(pipeline: Pick<DeployedPipeline, 'post'>, name: string) {
  let stopped = false;
  const accepted: string[] = [];
  const repeated: string[] = [];
  const deliver = async (id: string): Promise<void> => {
    const body = bytesOf(paidEvent({ orderId: id, eventId: id }));
    for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
      const answer = await pipeline.post(body).then(
        ({ status }) => String(status),
        (error: NodeJS.ErrnoException) => error.code ?? error.message,
      );
      if (answer.startsWith('2')) {
        accepted.push(id);
        return;
      }
      if (answer.startsWith('4')) throw new Error(`The event ${id} was refused with ${answer}.`);
      repeated.push(answer);
      await pause(pauseMilliseconds);
    }
    throw new Error(`The event ${id} was not taken in ${attemptsMax} attempts: ${repeated.slice(-3)}.`);
  };
  const run = async (): Promise<Sent> => {
    for (let n = 0; n < eventsMax && !stopped; n += 1) {
      await deliver(`${name}-${n}`);
      await pause(pauseMilliseconds);
    }
    return { accepted, repeated };
  };
  const running = run();
  running.catch(() => {});
  return {
    async stop(): Promise<Sent> {
      stopped = true;
      return running;
    },
  };
}
