import { AwsV4Signer } from 'aws4fetch';
import type { Get } from '../ports/get.ts';
import { callMilliseconds } from './client-options.ts';

class UnexpectedStatusError extends Error {
  override readonly name = 'UnexpectedStatusError';
  constructor(status: number) {
    super(`The response has the status ${status}; expected 200.`);
  }
}

/** Reads in one attempt, signed by the identity of the function. */
export function createSignedGet(service: 'execute-api' | 'sns'): Get {
  return async function signedGet(url) {
    const { env } = process;
    const signer = new AwsV4Signer({
      accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
      sessionToken: env['AWS_SESSION_TOKEN'] ?? '',
      region: env['AWS_REGION'] ?? '',
      ...{ service, url },
    });
    const { url: signed, headers } = await signer.sign();
    const signal = AbortSignal.timeout(callMilliseconds);
    const response = await fetch(signed, { headers, signal, redirect: 'manual' });
    if (response.status !== 200) throw new UnexpectedStatusError(response.status);
    return response.text();
  };
}
