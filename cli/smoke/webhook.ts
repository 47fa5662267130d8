import { setTimeout as pause } from 'node:timers/promises';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { acceptanceMilliseconds, keylessPauseMilliseconds } from '../limits.ts';
import { post, type WebhookResponse } from '../send/post.ts';
import { outputOf } from '../target/stack.ts';
import type { Deployment } from './deployment.ts';

export interface SignedBody {
  readonly body: Uint8Array;
  /** What stands in the header; `undefined` leaves the header out. */
  readonly signature: string | undefined;
}

export const signatureOf = (key: string, body: Uint8Array): string => sign(createSigningKey(key), body);

/** Delivers a body once. */
export function postWebhook(
  deployment: Deployment,
  { body, signature }: SignedBody,
): Promise<WebhookResponse> {
  const { stack, clientCertificate } = deployment;
  const url = new URL(outputOf(stack, 'WebhookUrl'));
  const contentType = { 'content-type': 'application/json' };
  const headers =
    signature === undefined
      ? contentType
      : { ...contentType, [outputOf(stack, 'SignatureHeader')]: signature };
  return post({ url, body, headers, clientCertificate });
}

/** What is left of the time that a run waits for a key to be known, over all that it delivers. */
export interface Patience {
  milliseconds: number;
}

/** For one run: every copy of the verifier knows the key when it is used up. */
export const newPatience = (): Patience => ({ milliseconds: acceptanceMilliseconds });

/**
 * Delivers a body until the copy of the verifier that it meets knows the key that it is signed with. A copy
 * reads its secret again a minute after it did so last, and every few seconds while it has no key at all. So
 * one pause after a refusal is enough, and no run that ends well is refused twice.
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
  let answer = await postWebhook(deployment, signed);
  while (patience.milliseconds > 0) {
    const milliseconds = pauses[answer.status];
    if (milliseconds === undefined) break;
    const atMost = `up to ${acceptanceMilliseconds / 1_000} s`;
    deployment.session.terminal.progress(`Waiting until the verifier has read the key (${atMost}) …`);
    await pause(milliseconds);
    patience.milliseconds -= milliseconds;
    answer = await postWebhook(deployment, signed);
  }
  return answer;
}
