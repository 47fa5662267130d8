import { expect } from 'vitest';
import { createOrderClient, type OrderClientOptions } from '../src/index.ts';
import { order } from './example-responses.ts';
import { type Script, type ScriptedResponse, startHttpServer } from './http-server.ts';

export const identity = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};
export const body = JSON.stringify(order);
export const quick = { firstPauseMilliseconds: 1, attemptMillisecondsMax: 60_000 };

/** A client and its server. */
export async function scene(script: Script, options: Partial<OrderClientOptions> = {}) {
  const { baseUrl, requests } = await startHttpServer(script);
  const client = createOrderClient({ baseUrl, credentials: false, retry: quick, ...options });
  return { client, requests, baseUrl };
}

export const firstThen =
  (first: ScriptedResponse, second: ScriptedResponse = { body }): Script =>
  (_, count) =>
    count === 1 ? first : second;

export const problem = (status: number, more: object = {}): ScriptedResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ type: 'about:blank', title: 'Title', status, detail: 'Detail.', ...more }),
});

export const rejection = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('The call succeeded.'),
    (error: unknown) => error,
  );
