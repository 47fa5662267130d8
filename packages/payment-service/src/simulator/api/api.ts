import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestBytesMax, statuses } from '../assumptions.ts';
import { type Answer, refusal } from './answer.ts';
import { type Authenticity, authenticate } from './authentication.ts';
import type { OpenOperation, Operation } from './operations.ts';

/** What a watcher may see of a request: no header, no query and no body, for those may hold secrets. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** Why it was refused; the answer itself does not always say. */
  readonly reason?: string;
}

export interface ApiOptions {
  readonly operations: readonly (Operation | OpenOperation)[];
  readonly authenticity: Authenticity;
}

type Api = (request: IncomingMessage) => Promise<Answer>;

/** Section 4: a path that is none is a 404, another method a 405, and then the caller is looked at. */
export function createApi({ operations, authenticity }: ApiOptions): Api {
  return async (request) => {
    const { path, query } = targetOf(request);
    const found = operations.filter((operation) => operation.path.test(path));
    if (found.length === 0) return refusal(404, 'unknown_path', 'Not Found');
    const operation = found.find(({ method }) => method === request.method);
    if (operation === undefined) {
      const allow = found.map(({ method }) => method).join(', ');
      return { ...refusal(405, 'unknown_method', 'Method Not Allowed'), headers: { allow } };
    }
    const body = await readBody(request);
    if (body === undefined) return refusal(413, 'body_too_large', 'Content Too Large');
    const asked = {
      webhookId: operation.path.exec(path)?.[1] ?? '',
      query,
      contentType: request.headers['content-type'] ?? '',
      body,
    };
    if (operation.open) {
      return acceptsJson(request) ? operation.answer(asked) : notAcceptable;
    }
    const caller = authenticate(request.headersDistinct, operation.scope, authenticity);
    if (!caller.ok) return caller.refusal;
    if (!acceptsJson(request)) return notAcceptable;
    return operation.answer({ ...asked, account: caller.value.account });
  };
}

/** The path as it came: a URL parser would mend what a strict server has to refuse. */
export function targetOf(request: IncomingMessage): { path: string; query: URLSearchParams } {
  const target = request.url ?? '';
  const mark = target.indexOf('?');
  if (mark === -1) return { path: target, query: new URLSearchParams() };
  return { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark)) };
}

const notAcceptable = refusal(statuses.notAcceptable, 'accept_missing', 'Send Accept: application/json.');

/** Section 4 says to send it; the wildcard that HTTP clients send by themselves is not it. */
function acceptsJson(request: IncomingMessage): boolean {
  const types = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim());
  return types.includes('application/json');
}

/** `undefined` for a body above the bound. It is read to its end, so that the answer can be. */
export async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength;
    if (bytes <= requestBytesMax) chunks.push(chunk as Buffer);
  }
  return bytes <= requestBytesMax ? Buffer.concat(chunks) : undefined;
}

export function writeAnswer(response: ServerResponse, { status, body, headers }: Answer): void {
  const text = body === undefined ? undefined : JSON.stringify(body);
  response.writeHead(status, {
    ...(text !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  });
  response.end(text);
}
