import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ApiProblem } from '../contract.ts';

/** Nothing inline, nothing from elsewhere, and no string becomes markup: event ids are foreign text. */
export const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Whom a refusal is for: the page reads problem details, a person reads text. */
export type Audience = 'page' | 'person';

export function respondJson(response: ServerResponse, value: unknown): void {
  respond(response, { status: 200, type: 'application/json', body: JSON.stringify(value) });
}

export function respondProblem(response: ServerResponse, audience: Audience, problem: ApiProblem): void {
  const { status, detail } = problem;
  const isText = audience === 'person';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/problem+json';
  respond(response, { status, type, body: isText ? `${detail}\n` : JSON.stringify(problem) });
}

export interface Content {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer;
}

/** What is smaller fits into a packet as it is. */
const packedBytesMin = 1_024;

/** Compressed where the reader accepts that: a console is often read through a slow tunnel. */
export function respond(response: ServerResponse, { status, type, body }: Content): void {
  // The page has gone, or the response was begun and then failed.
  if (response.headersSent || response.destroyed) return void response.destroy();
  const accepted = /\bgzip\b/.test(`${response.req.headers['accept-encoding']}`);
  const isPacked = accepted && body.length >= packedBytesMin;
  const bytes = isPacked ? gzipSync(body) : Buffer.from(body);
  response
    .writeHead(status, {
      ...{ 'content-type': type, 'content-length': bytes.length, vary: 'accept-encoding' },
      ...(isPacked && { 'content-encoding': 'gzip' }),
    })
    .end(bytes);
}
