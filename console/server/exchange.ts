import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request with its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** As it was sent, percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
}

export function exchangeOf(request: IncomingMessage, response: ServerResponse): Exchange {
  const [path = '', ...query] = (request.url ?? '').split('?');
  return { request, response, path, query: new URLSearchParams(query.join('?')) };
}

/** Aborts when the page no longer waits for the response. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}
