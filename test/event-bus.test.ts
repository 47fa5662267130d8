import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEventBus } from '../lambdas/aws/event-bus.ts';
import { feedEntry, type OrderStatusChanged } from '../lambdas/order-feed/order-status-changed.ts';

const change = (orderId: string): OrderStatusChanged => ({
  id: '706daf569be0a8a6a3bd7eb8b1f7ea2d',
  order_id: orderId,
  mode: 'live',
  sequence: 1,
  previous: null,
  current: { status: 'paid', attention: [] },
  transactions: [],
  caused_by: [{ id: 'evt-1', event_name: 'transaction.paid' }],
  updated_at: '2026-11-21T10:00:00.000Z',
});

/** EventBridge, as far as its wire: it notes what it is asked and gives the answers that a test laid out. */
let server: Server;
let asked: { readonly target: unknown; readonly body: Record<string, unknown> }[];
let answers: { readonly status: number; readonly body: unknown }[];

beforeEach(async () => {
  asked = [];
  answers = [];
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({
        target: request.headers['x-amz-target'],
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      const { status, body } = answers.shift() ?? { status: 500, body: { __type: 'InternalException' } };
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_REGION', 'us-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

describe('the event bus', () => {
  it('is sent entries with its name, their source, type and time', async () => {
    answers = [{ status: 200, body: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } }];
    const entry = feedEntry(change('order-1'));
    expect(await createEventBus('payhooks-test').put([entry])).toEqual([undefined]);
    expect(asked).toEqual([
      {
        target: 'AWSEvents.PutEvents',
        body: {
          Entries: [
            {
              EventBusName: 'payhooks-test',
              Source: 'payhooks',
              DetailType: 'OrderStatusChanged',
              Detail: entry.detail,
              Time: 1_795_255_200,
            },
          ],
        },
      },
    ]);
  });

  it('answers for each entry, although the request went well', async () => {
    const Entries = [{ EventId: '1' }, { ErrorCode: 'ThrottlingException', ErrorMessage: 'Slow down' }];
    answers = [{ status: 200, body: { FailedEntryCount: 1, Entries } }];
    const entries = ['order-1', 'order-2'].map((orderId) => feedEntry(change(orderId)));
    expect(await createEventBus('bus').put(entries)).toEqual([undefined, 'ThrottlingException']);
  });

  it.each([
    [
      'an answer for fewer entries than it got',
      { FailedEntryCount: 0, Entries: [{ EventId: '1' }] },
      [undefined, 'NoEventId'],
    ],
    ['no answer for any of them', {}, ['NoEventId', 'NoEventId']],
  ])('is not believed to have taken an entry by %s', async (_, body, expected) => {
    answers = [{ status: 200, body }];
    const entries = ['order-1', 'order-2'].map((orderId) => feedEntry(change(orderId)));
    expect(await createEventBus('bus').put(entries)).toEqual(expected);
  });

  it('throws what EventBridge says to the whole request', async () => {
    answers = [{ status: 400, body: { __type: 'AccessDeniedException', message: 'not you' } }];
    await expect(createEventBus('bus').put([feedEntry(change('order-1'))])).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
    expect(asked).toHaveLength(1);
  });

  it('is asked again by the client when the fault passes', async () => {
    answers = [
      { status: 500, body: { __type: 'InternalException' } },
      { status: 200, body: { FailedEntryCount: 0, Entries: [{ EventId: '1' }] } },
    ];
    expect(await createEventBus('bus').put([feedEntry(change('order-1'))])).toEqual([undefined]);
    expect(asked).toHaveLength(2);
  });
});
