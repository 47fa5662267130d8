import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { outputOf } from '../../operator/stack/stack.ts';
import { post, type WebhookResponse } from '../send/post.ts';
import type { Deployment } from './deployment.ts';

export const signatureOf = (key: string, body: Uint8Array): string => sign(createSigningKey(key), body);

/** Posts a body once; without a signature it leaves the header out. */
export function postWebhook(
  { stack, clientCertificate }: Deployment,
  body: Uint8Array,
  signature: string | undefined,
): Promise<WebhookResponse> {
  const headers = {
    'content-type': 'application/json',
    ...(signature !== undefined && { [outputOf(stack, 'SignatureHeader')]: signature }),
  };
  return post({ url: new URL(outputOf(stack, 'WebhookUrl')), body, headers, clientCertificate });
}
