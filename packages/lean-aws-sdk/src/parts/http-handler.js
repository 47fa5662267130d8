/**
 * Replaces `@smithy/node-http-handler`: a request and its whole response, with one time limit, in place of a
 * timer for each step and a body that is still to be read, which costs more CPU time.
 */
import * as http from 'node:http';
import * as https from 'node:https';

export class NodeHttpHandler {
  /** @param options `requestTimeout`: milliseconds until the response ends; no limit without it */
  constructor({ requestTimeout } = {}) {
    this.limit = requestTimeout;
  }

  handle({ protocol, hostname, port, method, path, headers, body }, { abortSignal } = {}) {
    const { Agent, request } = protocol === 'https:' ? https : http;
    this[protocol] ??= new Agent({ keepAlive: true, maxSockets: 50 });
    // An address of IPv6 without its brackets.
    const host = hostname.replace(/^\[|\]$/g, '');
    const sent = request({ host, port, method, path, headers, agent: this[protocol] });
    const { promise, resolve, reject } = Promise.withResolvers();
    const fail = (error) => reject(transientCodes.has(error.code) ? named('TimeoutError', error) : error);
    // A request that waits for a connection reports its end only when it has one.
    const end = (error) => {
      fail(error);
      sent.destroy();
    };
    const abort = () => end(named('AbortError', new Error('Request aborted')));
    const timeOut = () =>
      end(Object.assign(new Error(`no response within ${this.limit} ms`), { code: 'ETIMEDOUT' }));
    // A response that is there already is read first, however busy the process was.
    const timer = this.limit && setTimeout(() => setImmediate(timeOut), this.limit);
    sent.on('error', fail);
    sent.on('response', (response) => {
      const { statusCode, headers } = response;
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => resolve({ response: { statusCode, headers, body: Buffer.concat(chunks) } }));
    });
    if (abortSignal?.aborted) abort();
    else abortSignal?.addEventListener('abort', abort);
    sent.end(body);
    return promise.finally(() => {
      clearTimeout(timer);
      abortSignal?.removeEventListener('abort', abort);
    });
  }
}

/** By the name of a timeout the SDK knows after what it makes another attempt. */
const named = (name, error) => Object.assign(error, { name });
const transientCodes = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
