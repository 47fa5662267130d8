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
  type RetrySchedule,
  type SampleEvent,
} from '@payhooks/payment-service/simulator';
import type { LiveLog } from '../live-log/live-log.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { describeResponse, describeSample, randomSuffix } from '../webhooks/description.ts';
import { watchHandling } from '../webhooks/handling.ts';
import { postSigned, type Signer } from '../webhooks/sender.ts';
import { type Fault, runFault, type Work } from './fault.ts';
import type { RunParts } from './run-record.ts';

export interface BenchParts {
  readonly pipeline: Pick<Pipeline, 'baseUrl' | 'endpoints' | 'resources' | 'simulator' | 'fail'>;
  readonly liveLog: Pick<LiveLog, 'subscribe'>;
  /** The keys that the account has now. */
  readonly keys: { live: string; readonly sandbox: string };
}

export interface Posting {
  readonly signer?: Signer;
  /** In place of the account's live key. */
  readonly privateKey?: string;
  readonly schedule?: RetrySchedule;
}

/** What an experiment works with: it sends webhooks, looks at what became of them, and breaks things. */
export interface Bench extends BenchParts, Pick<RunParts, 'record' | 'signal'> {
  /** New in each run; further orders of a run begin with it. */
  readonly orderId: string;
  readonly orders: OrderClient;
  readonly operations: OperationsClient;
  /** Signs and posts a body; resolves when it is acknowledged or given up. */
  post(body: Uint8Array, posting?: Posting): Promise<Delivery>;
  /** Posts an event, waits until the consumer has handled it, and adds a step for both. */
  send(event: SampleEvent, posting?: Posting): Promise<Delivery>;
  sendBody(body: Uint8Array, description: string, posting?: Posting): Promise<Delivery>;
  /** Looks again and again until a sight passes or patience ends; resolves with the last sight. */
  until<T>(look: () => Promise<T>, passes: (sight: T) => boolean): Promise<T>;
  /** Does some work under a fault, which ends after its time whatever happens. */
  withFault<T>(fault: Fault, work: Work<T>): Promise<T>;
}

/** How long the right end may take. */
const patienceMilliseconds = 60_000;
const lookMilliseconds = 200;

export function createBench(parts: BenchParts, { record, faults, signal, experiment }: RunParts): Bench {
  const { pipeline, liveLog, keys } = parts;
  const { baseUrl, resources } = pipeline;
  const client = { baseUrl, credentials: false } as const;

  const post: Bench['post'] = (body, { signer = 'live', ...more } = {}) =>
    postSigned(body, signer, {
      webhookUrl: `${baseUrl}/webhooks/payments`,
      signatureHeader: resources.signatureHeader,
      ...{ privateKey: keys.live, sandboxKey: keys.sandbox, ...more, signal },
    });

  async function sendBody(body: Uint8Array, description: string, posting?: Posting): Promise<Delivery> {
    using watch = watchHandling(body, liveLog);
    const delivery = await post(body, posting);
    record.step('sent', `${description} → ${describeResponse(delivery)}`);
    if (delivery.state !== 'delivered') return delivery;
    const timeout = pause(patienceMilliseconds, undefined, { signal, ref: false });
    const entry = await Promise.race([watch.handled, timeout]);
    if (entry === undefined) return delivery;
    const { outcome = 'handled', event_id: id, mode } = entry.fields;
    const milliseconds = entry.sinceAcceptedMilliseconds;
    const isMode = mode === 'live' || mode === 'sandbox';
    const link = id && isMode ? ({ page: 'event', id, mode } as const) : null;
    record.step(
      'recorded',
      `as ${outcome}${milliseconds === null ? '' : `, after ${milliseconds} ms`}`,
      link,
    );
    return delivery;
  }

  return {
    ...parts,
    ...{ record, signal, post, sendBody },
    orderId: `lab-${experiment}-${randomSuffix()}`,
    orders: createOrderClient(client),
    operations: createOperationsClient(client),
    send: (event, posting) => sendBody(bytesOf(event), describeSample(event), posting),
    async until(look, passes) {
      const end = performance.now() + patienceMilliseconds;
      for (;;) {
        const sight = await look();
        if (passes(sight) || performance.now() > end) return sight;
        await pause(lookMilliseconds, undefined, { signal });
      }
    },
    withFault: (fault, work) => runFault(fault, work, { record, faults, signal, experiment }),
  };
}
