import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { Hash } from '@smithy/core/serde';
import { SignatureV4 } from '@smithy/signature-v4';
import type { Answer } from '../acceptance/target.ts';
import { clientOptions } from './deployment.ts';
import type { MiniStack } from './ministack.ts';

export interface ApiRequest {
  /** As signatures name it. */
  readonly service: 'lambda' | 'scheduler';
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
}

/** Asks an API of AWS that no client here is for, as the root user. */
export async function askSigned(
  ministack: MiniStack,
  { service, method, path, body: content }: ApiRequest,
): Promise<Answer> {
  const { region, credentials } = clientOptions(ministack);
  const url = new URL(path, ministack.endpoint);
  const body = content === undefined ? '' : JSON.stringify(content);
  const signature = new SignatureV4({ service, region, credentials, sha256: Hash.bind(null, 'sha256') });
  const { protocol, hostname, host } = url;
  const headers = { host, 'content-type': 'application/json' };
  const signed = await signature.sign({ method, protocol, hostname, path: url.pathname, headers, body });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { ca } = ministack.certificate;
  const outgoing = request(url, { method, headers: signed.headers, ca }, (response) => {
    const { statusCode: status = 0, headers: received } = response;
    text(response).then((answered) => resolve({ status, headers: received, body: answered }), reject);
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
