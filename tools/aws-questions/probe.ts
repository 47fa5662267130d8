import { randomUUID } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createSignedFetch } from '@payhooks/order-client';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { post } from '../../cli/send/post.ts';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { outputOf, type Stack } from '../../operator/stack/stack.ts';

export interface Answer {
  /** `undefined` where the question could not be asked, such as of an emulator. */
  readonly isExpected?: boolean;
  readonly evidence: string;
}

/** How a question is put to a stack. An error is the evidence that it could not be asked. */
export interface Probe {
  /** How long after the deployment it is asked. */
  readonly hours?: number;
  readonly ask: (place: Place) => Promise<Answer>;
}

export interface Asking {
  /** How long an answer may take. */
  readonly patienceSeconds: number;
  readonly signal: AbortSignal;
  /** Deploys the stack with other settings. */
  readonly redeploy: (settings: Readonly<Record<string, unknown>>) => Promise<void>;
}
export type Place = ReturnType<typeof openPlace>;

/** A deployed stack with this key, and what probes do with it. */
export function openPlace(stack: Stack, privateKey: string, { patienceSeconds, signal, redeploy }: Asking) {
  const key = createSigningKey(privateKey);
  const [header, url] = [outputOf(stack, 'SignatureHeader'), new URL(outputOf(stack, 'WebhookUrl'))];
  const signature = (body: Uint8Array): string => sign(key, body);
  /** The first result that passes, or the latest one. */
  async function until<T>(attempt: () => Promise<T>, passes: (result: T) => boolean): Promise<T> {
    const givenUpAt = performance.now() + patienceSeconds * 1_000;
    for (;;) {
      const result = await attempt();
      if (passes(result) || performance.now() > givenUpAt) return result;
      await pause(1_000, undefined, { signal });
    }
  }
  /** The status of a webhook, which is signed unless the headers say otherwise. */
  async function status(body: Uint8Array, headers: OutgoingHttpHeaders = {}): Promise<number> {
    const signed = { 'content-type': 'application/json', [header]: signature(body) };
    return (await post({ url, body, headers: { ...signed, ...headers } })).status;
  }
  /** The status of a query for an order. */
  async function lookUp(orderId: string, query = ''): Promise<number> {
    const baseUrl = outputOf(stack, 'OrderQueryUrl');
    const signedFetch = createSignedFetch({ baseUrl, region: stack.region });
    const path = `/orders/${encodeURIComponent(orderId)}${query}`;
    return (await signedFetch(new Request(`${baseUrl}${path}`))).status;
  }
  /** Whether a new payment becomes an order. */
  async function records(): Promise<boolean> {
    const orderId = randomUUID();
    const send = () => status(bytesOf(paidEvent({ orderId })));
    await until(send, (got) => got === 202);
    const look = () => lookUp(orderId);
    return (await until(look, (got) => got === 200)) === 200;
  }
  return { stack, header, signature, until, status, lookUp, records, redeploy };
}
