import { type OutgoingHttpHeaders, type RequestOptions, request } from 'node:http';
import { request as secureRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createSigningKey, sign } from '../../lambdas/domain/signature.ts';
import { type Answer, type Post, privateKey, sandboxKey, type View } from './target.ts';

/** Sends one request; a POST when there is a body. */
export type Send = (url: string, body?: Uint8Array, headers?: OutgoingHttpHeaders) => Promise<Answer>;

export interface Addresses {
  readonly webhookUrl: string;
  /** Without a slash at its end. */
  readonly queryUrl: string;
  readonly send?: Send;
  /** The headers that authorise a query; local mode asks for none. */
  readonly authorise?: (url: URL) => Promise<OutgoingHttpHeaders>;
  /** How often an order or an event is asked for that is not there yet. */
  readonly attemptsMax?: number;
}

/** What can be asked over HTTP of any pipeline, in this process or another. */
export function createQuestions(addresses: Addresses) {
  const { webhookUrl, queryUrl, send = createSend(), authorise, attemptsMax } = addresses;
  const signed = (body: Uint8Array, key: string = privateKey) => sign(createSigningKey(key), body);
  const post = (body: Uint8Array, options: Post = {}): Promise<Answer> => {
    const right = signed(body, options.key === 'sandbox' ? sandboxKey : privateKey);
    const signature = 'signature' in options ? options.signature : right;
    const contentType = 'contentType' in options ? options.contentType : 'application/json';
    return send(webhookUrl, body, {
      ...(signature === undefined ? {} : { 'X-SERVICE-SIGNATURE': signature }),
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
    });
  };
  const get = async (path: string): Promise<Answer & { readonly json: View }> => {
    const url = `${queryUrl}${path}`;
    const answer = await send(url, undefined, await authorise?.(new URL(url)));
    return { ...answer, json: JSON.parse(answer.body) };
  };
  return {
    sign: signed,
    post,
    get,
    /**
     * The live order once `until` holds; the acceptance bound is two
     * seconds, the patience here is for slow machines.
     */
    async order(id: string, until: (order: View) => boolean = () => true): Promise<View> {
      const ask = () => get(`/orders/${encodeURIComponent(id)}`);
      return (await eventually(ask, ({ status, json }) => status === 200 && until(json), attemptsMax)).json;
    },
    async event(id: string): Promise<View> {
      const ask = () => get(`/events/${encodeURIComponent(id)}`);
      return (await eventually(ask, ({ status }) => status === 200, attemptsMax)).json;
    },
  };
}

/** Plain node:http: `fetch` joins two headers of one name, adds a content type, and normalises paths. */
export function createSend(
  options: RequestOptions & { readonly ca?: string; readonly servername?: string } = {},
): Send {
  return async (url, body, headers = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const open = url.startsWith('https:') ? secureRequest : request;
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = open(url, { ...options, method, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      text(response).then((content) => resolve({ status, headers: received, body: content }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
    return promise;
  };
}

/** The first answer that passes, of as many as ten seconds hold, or more where answers take their time. */
export async function eventually<T>(
  ask: () => Promise<T>,
  passes: (answer: T) => boolean,
  attemptsMax = 400,
): Promise<T> {
  for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
    const answer = await ask();
    if (passes(answer)) return answer;
    await pause(25);
  }
  throw new Error(`What the test waits for did not come in ${attemptsMax} attempts, 25 ms apart.`);
}
