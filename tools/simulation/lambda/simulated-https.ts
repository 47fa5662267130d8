import { EventEmitter } from 'node:events';

/** A request of an instance to an address outside of AWS. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Resolves with the status of the response; never, when there is none. */
export type SendRequest = (request: OutgoingRequest) => Promise<number>;

interface RequestOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** `node:https`, as far as the function `heartbeat` uses it. */
export function createHttps(send: SendRequest) {
  function request(url: string, { headers, signal }: RequestOptions) {
    const sent = new EventEmitter();
    const fail = () => sent.emit('error', signal.reason);
    signal.addEventListener('abort', fail);
    async function deliver(body: Buffer): Promise<void> {
      const statusCode = await send({ url, headers, body });
      if (signal.aborted) return;
      signal.removeEventListener('abort', fail);
      const response = new EventEmitter();
      // Its receiver waits for the end in the same step.
      const resume = () => queueMicrotask(() => response.emit('end'));
      sent.emit('response', Object.assign(response, { statusCode, resume }));
    }
    return Object.assign(sent, { end: (body: Buffer) => void deliver(body) });
  }
  return { request };
}
