import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { ClientCertificate } from '../contract/client-certificate.ts';
import { heartbeatPostMillisecondsMax } from '../contract/heartbeat.ts';

export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly certificate: ClientCertificate | undefined;
}

/** Resolves with the status of the response; rejects when there is none. It follows no redirect. */
export type Post = (url: string, delivery: Delivery) => Promise<number>;

/** Not `fetch`, which cannot present a client certificate. Each delivery connects anew, as a sender would. */
export function createPost(millisecondsMax: number = heartbeatPostMillisecondsMax): Post {
  return async function post(url, { headers, body, certificate }) {
    const signal = AbortSignal.timeout(millisecondsMax);
    const request = url.startsWith('https:') ? requestHttps : requestHttp;
    const sent = request(url, { method: 'POST', headers, agent: false, signal, ...certificate });
    sent.end(body);
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode ?? 0;
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
}
