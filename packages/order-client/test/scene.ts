import { type Received, type Scripted, startService } from '@payhooks/payment-service/testing';
import { expect } from 'vitest';
import {
  createOperationsClient,
  createOrderClient,
  type Order,
  type OrderClientOptions,
} from '../src/index.ts';

export type { Received };

type Script = (request: Received, count: number) => Scripted;

export const order: Order = {
  ...{ order_id: 'order-1001', mode: 'live', status: 'refunded', attention: [], transactions: [] },
  ...{ events: [], sequence: 1, updated_at: '2026-11-21T10:05:00.061Z' },
};
export const body = JSON.stringify(order);
export const identity = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'SESSION-TOKEN',
};
export const signing = { credentials: identity, region: 'eu-central-1' };
export const quick = { firstPauseMilliseconds: 1, attemptMillisecondsMax: 60_000 };

/** Both clients, and their server. */
export async function scene(script: Script, options: Partial<OrderClientOptions> = {}) {
  let count = 0;
  const { baseUrl, received: requests } = await startService((request) => script(request, ++count));
  const all = { baseUrl, credentials: false, retry: quick, ...options } as const;
  return { client: createOrderClient(all), operations: createOperationsClient(all), requests, baseUrl };
}

export const firstThen =
  (first: Scripted, second: Scripted = { text: body }): Script =>
  (_, count) =>
    count === 1 ? first : second;

export const problem = (status: number, more: object = {}): Scripted => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  text: JSON.stringify({ type: 'about:blank', title: 'Title', status, detail: 'Detail.', ...more }),
});

export const rejection = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.unreachable('The call succeeded.'),
    (error: unknown) => error,
  );
