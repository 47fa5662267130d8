import { setTimeout as pauseFor } from 'node:timers/promises';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { acceptanceMilliseconds, keylessPauseMilliseconds, refusedPauseMilliseconds } from '../limits.ts';
import { type Answer, post } from '../send/post.ts';
import { outputOf } from '../target/stack.ts';
import type { Deployment } from './deployment.ts';

export interface SignedBody {
  readonly body: Uint8Array;
  /** What stands in the header; `undefined` leaves the header out. */
  readonly signature: string | undefined;
}

export type Pause = (milliseconds: number) => Promise<unknown>;

export const signatureOf = (key: string, body: Uint8Array): string => sign(createSigningKey(key), body);

/** Delivers a body once. */
export function postWebhook(deployment: Deployment, { body, signature }: SignedBody): Promise<Answer> {
  const { stack, clientCertificate } = deployment;
  const url = new URL(outputOf(stack, 'WebhookUrl'));
  const contentType = { 'content-type': 'application/json' };
  const headers =
    signature === undefined
      ? contentType
      : { ...contentType, [outputOf(stack, 'SignatureHeader')]: signature };
  return post({ url, body, headers, clientCertificate });
}

/**
 * Delivers a body until the verifier knows the key that it is signed with: it reads its secret again once a
 * minute after a refusal, and every few seconds while it has no key at all.
 */
export async function postUntilAccepted(
  deployment: Deployment,
  signed: SignedBody,
  pause: Pause = (milliseconds) => pauseFor(milliseconds),
): Promise<Answer> {
  const pauses: Readonly<Record<number, number>> = {
    403: refusedPauseMilliseconds,
    503: keylessPauseMilliseconds,
  };
  let answer = await postWebhook(deployment, signed);
  for (let waited = 0; waited < acceptanceMilliseconds; ) {
    const milliseconds = pauses[answer.status];
    if (milliseconds === undefined) break;
    const atMost = `up to ${acceptanceMilliseconds / 1_000} s`;
    deployment.session.terminal.progress(`Waiting until the verifier has read the key (${atMost}) …`);
    await pause(milliseconds);
    waited += milliseconds;
    answer = await postWebhook(deployment, signed);
  }
  return answer;
}
