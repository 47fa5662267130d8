import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import { createSend } from '../acceptance/questions.ts';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

/** Runs a function once, as the root user, and gives what it answered. Rejects when it threw. */
export async function invoke(ministack: MiniStack, functionName: string): Promise<unknown> {
  const { region, credentials } = clientOptions(ministack);
  const url = new URL(`/2015-03-31/functions/${functionName}/invocations`, ministack.endpoint);
  const body = '{}';
  const signature = new SignatureV4({
    service: 'lambda',
    region,
    credentials,
    sha256: Hash.bind(null, 'sha256'),
  });
  const { headers } = await signature.sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, 'content-type': 'application/json' },
    body,
  });
  const send = createSend({ ca: ministack.certificate.ca });
  const answer = await send(url.href, Buffer.from(body), headers);
  if (answer.status !== 200 || answer.headers['x-amz-function-error'] !== undefined) {
    throw new Error(`${functionName} answered ${answer.status}: ${answer.body}`);
  }
  return JSON.parse(answer.body);
}
