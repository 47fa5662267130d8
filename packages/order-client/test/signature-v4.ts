import { createHash, createHmac } from 'node:crypto';
import type { ReceivedRequest } from './http-server.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8}\/[\w-]+\/[\w-]+\/aws4_request), SignedHeaders=(\S+), Signature=(\w+)$/;

/** Recomputes the signature of a request, as AWS documents it; uses nothing of the SDK. */
export function readSignature({ method, url, headers, body = '' }: ReceivedRequest, secretAccessKey: string) {
  const parts = authorization.exec(headers.authorization ?? '');
  if (parts === null) throw new Error(`Expected a SigV4 Authorization header, got: ${headers.authorization}`);
  const [, accessKeyId, scope = '', signedHeaders = '', signature] = parts;
  const [path = '', query = ''] = url.split('?');
  const canonicalRequest = [
    method,
    // Encoded once more, as for every service but S3.
    path.split('/').map(encodeStrictly).join('/'),
    query.split('&').toSorted().join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonicalRequest)].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  return {
    accessKeyId,
    scope,
    signedHeaders: signedHeaders.split(';'),
    given: signature,
    expected: hmac(key, toSign).toString('hex'),
  };
}

const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
