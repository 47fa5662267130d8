import { setTimeout as pause } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { messagesIn } from '../drill/settled.ts';
import type { Delivery } from './story.ts';
import type { Posted } from './story-times.ts';

export const privateKey = 'pri_of_the_story';
const pollMilliseconds = 25;

/** Sends one delivery after the other, each when the one before it is recorded. */
export async function deliver(baseUrl: string, deliveries: readonly Delivery[]): Promise<readonly Posted[]> {
  const { outputs, endpoints, region } = (await (await fetch(`${baseUrl}/stack`)).json()) as StackView;
  const credentials = { accessKeyId: 'none', secretAccessKey: 'none' };
  const sqs = new SQSClient({ region, credentials, endpoint: endpoints.sqs });
  const posted: Posted[] = [];
  for (const { at, body } of deliveries) {
    posted.push({ postedAt: Date.now(), at });
    const { status } = await fetch(outputs.WebhookUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [outputs.SignatureHeader]: sign(createSigningKey(privateKey), body),
      },
      body: new Uint8Array(body),
    });
    if (status !== 202) throw new Error(`A webhook of the story got ${status}, and should get 202.`);
    while ((await messagesIn(sqs, outputs.EventQueueUrl)) > 0) await pause(pollMilliseconds);
  }
  sqs.destroy();
  return posted;
}

interface StackView {
  readonly outputs: { readonly [name in 'WebhookUrl' | 'SignatureHeader' | 'EventQueueUrl']: string };
  readonly endpoints: { readonly sqs: string };
  readonly region: string;
}
