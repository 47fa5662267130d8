import { CredentialsError, createSignedFetch } from '@payhooks/order-client';
import { explainAwsError } from '../../operator/aws/errors.ts';
import { reasonOf } from '../../operator/explain-error.ts';
import { ConsoleProblem } from './problem.ts';
import type { Content } from './respond.ts';

/** The function behind the API may take 25 s, and API Gateway waits for 30. */
const requestMillisecondsMax = 35_000;
/** API Gateway's own bound. */
const responseBytesMax = 10 * 1024 * 1024;

export interface Upstream {
  readonly baseUrl: string;
  readonly region: string;
}

export interface UpstreamRequest {
  /** The segments of the path, not encoded: `['orders', 'order/1']`. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Sends signed requests. Credentials are looked up again after a refusal: an operator renews them while
 * the console runs.
 */
export function createSender() {
  const senders = new Map<string, ReturnType<typeof createSignedFetch>>();
  return async function send(upstream: Upstream, request: UpstreamRequest): Promise<Content> {
    const { baseUrl } = upstream;
    const sender = senders.get(baseUrl) ?? createSignedFetch(upstream);
    senders.set(baseUrl, sender);
    const timeout = AbortSignal.timeout(requestMillisecondsMax);
    const signal = AbortSignal.any([timeout, request.signal]);
    try {
      const response = await readResponse(await sender(requestTo(baseUrl, request), { signal }));
      if (response.status === 403) senders.delete(baseUrl);
      return response;
    } catch (error) {
      senders.delete(baseUrl);
      throw explain(error, new URL(baseUrl).host, timeout);
    }
  };
}

function requestTo(baseUrl: string, { path, query }: UpstreamRequest): Request {
  // URLs take them as steps in the path, even percent-encoded: another route would get the request.
  if (path.some((segment) => ['', '.', '..'].includes(segment))) {
    throw new ConsoleProblem(404, 'A URL cannot contain such an id.');
  }
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/${path.map(encodeURIComponent).join('/')}`);
  url.search = new URLSearchParams(query).toString().replaceAll('+', '%20');
  const headers = { accept: 'application/json, application/problem+json' };
  return new Request(url, { headers, redirect: 'manual' });
}

function explain(error: unknown, host: string, timeout: AbortSignal): unknown {
  if (error instanceof ConsoleProblem) return error;
  if (error instanceof CredentialsError) return explainAwsError(error.cause) ?? error;
  const options = { cause: error };
  const seconds = requestMillisecondsMax / 1_000;
  return timeout.aborted
    ? new ConsoleProblem(504, `${host} did not respond within ${seconds} s.`, options)
    : new ConsoleProblem(503, `${host} could not be reached (${reasonOf(error)}).`, options);
}

async function readResponse(response: Response): Promise<Content> {
  const { status, headers } = response;
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(problem\+)?json(;|$)/.test(type)) {
    await response.body?.cancel();
    const host = new URL(response.url).host;
    throw new ConsoleProblem(502, `${host} responded ${status} without JSON; is it the API of the stack?`);
  }
  return { status, type, body: await readBody(response) };
}

async function readBody({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > responseBytesMax) throw new ConsoleProblem(502, 'The response has more than 10 MiB.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
