import { setTimeout as pause } from 'node:timers/promises';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { acceptanceMilliseconds, keylessPauseMilliseconds } from '../limits.ts';
import { post, type WebhookResponse } from '../send/post.ts';
import { outputOf } from '../target/stack.ts';
import type { Deployment } from './deployment.ts';

export interface SignedBody {
  readonly body: Uint8Array;
  /** The value of the header; `undefined` leaves the header out. */
  readonly signature: string | undefined;
}

export const signatureOf = (key: string, body: Uint8Array): string => sign(createSigningKey(key), body);

/** Posts a body once. */
export function postWebhook(
  deployment: Deployment,
  { body, signature }: SignedBody,
): Promise<WebhookResponse> {
  const { stack, clientCertificate } = deployment;
  const url = new URL(outputOf(stack, 'WebhookUrl'));
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { [outputOf(stack, 'SignatureHeader')]: signature }),
  };
  return post({ url, body, headers, clientCertificate });
}

/** How long a run may still wait for the verifier to learn its key, over all of its posts. */
export interface Patience {
  milliseconds: number;
}

export const newPatience = (): Patience => ({ milliseconds: acceptanceMilliseconds });

/**
 * Posts a body until the Lambda instance that receives it knows the key. An instance reads its secret again
 * one minute after it last did, and every few seconds while it has no key at all. So one pause after a
 * refusal is enough, and a valid key is refused at most once in a run.
 */
export async function postUntilAccepted(
  deployment: Deployment,
  signed: SignedBody,
  patience: Patience,
): Promise<WebhookResponse> {
  const pauses: Readonly<Record<number, number>> = {
    403: acceptanceMilliseconds,
    503: keylessPauseMilliseconds,
  };
  let response = await postWebhook(deployment, signed);
  while (patience.milliseconds > 0) {
    const milliseconds = pauses[response.status];
    if (milliseconds === undefined) break;
    const atMost = `up to ${acceptanceMilliseconds / 1_000} s`;
    deployment.session.terminal.progress(`Waiting until the verifier has read the key (${atMost}) …`);
    await pause(milliseconds);
    patience.milliseconds -= milliseconds;
    response = await postWebhook(deployment, signed);
  }
  return response;
}
