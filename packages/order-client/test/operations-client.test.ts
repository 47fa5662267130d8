import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  createOperationsClient,
  EventNotFoundError,
  InvalidRequestError,
  type OrderClientOptions,
  ProblemError,
  UnexpectedResponseError,
} from '../src/index.ts';
import { type Script, startHttpServer } from './http-server.ts';
import { firstThen, identity, problem, quick, rejection } from './scene.ts';
import { readSignature } from './signature-v4.ts';

const act = {
  ...{ act: 'admit', mode: 'live', dry_run: false, changed: true, by: 'arn', reason: 'checked' },
  ...{ at: '2026-11-21T11:00:00.000Z', events: [], orders: [] },
};
const response = {
  ...act,
  records: [],
  acts: [],
  counts: [],
  keys: [],
  id: 'e',
  more: false,
  next_cursor: null,
};
const body = JSON.stringify(response);

async function scene(script: Script = () => ({ body }), options: Partial<OrderClientOptions> = {}) {
  const { baseUrl, requests } = await startHttpServer(script);
  const client = createOperationsClient({ baseUrl, credentials: false, retry: quick, ...options });
  return { client, requests };
}

describe('a read of the operations client', () => {
  it('requests the path and the query of its route', async () => {
    const { client, requests } = await scene();
    await client.waiting({
      ...{ kind: 'conflict', orderId: 'a/b', transactionId: 't', limit: 5, cursor: 'c', mode: 'sandbox' },
      since: new Date('2026-11-21T10:00:00Z'),
      until: '2026-11-22T10:00:00Z',
    });
    await client.waitingCounts();
    await client.event('a/b', { mode: 'sandbox' });
    await client.bodies('evt-1', { bodySha256: 'ab' });
    await client.unrecognisedBody('abc');
    await client.keys();
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /operations/waiting?kind=conflict&order_id=a%2Fb&transaction_id=t&' +
        'since=2026-11-21T10%3A00%3A00.000Z&until=2026-11-22T10%3A00%3A00Z&limit=5&cursor=c&mode=sandbox',
      'GET /operations/waiting/counts',
      'GET /operations/events/a%2Fb?mode=sandbox',
      'GET /operations/bodies/events/evt-1?body_sha256=ab',
      'GET /operations/bodies/abc',
      'GET /operations/keys',
    ]);
  });

  it('throws EventNotFoundError when nothing was received under the id', async () => {
    const { client } = await scene(() => problem(404));
    expect(await rejection(client.event('evt-1'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(client.bodies('evt-1'))).toBeInstanceOf(EventNotFoundError);
    expect(await rejection(client.unrecognisedBody('ab'))).toMatchObject({
      name: 'ProblemError',
      status: 404,
    });
  });

  it('sends no request for an id that a URL cannot contain', async () => {
    const { client, requests } = await scene();
    expect(await rejection(client.event('..'))).toBeInstanceOf(InvalidRequestError);
    expect(requests).toEqual([]);
  });
});

describe('an act of the operations client', () => {
  it('posts its request as JSON', async () => {
    const { client, requests } = await scene();
    const subject = { event_id: 'évt-1', reason: 'checked' };
    expect(await client.admit(subject)).toMatchObject({ act: 'admit', changed: true });
    await client.dismiss(subject);
    await client.resolve({ order_id: 'order-1', sequence: 3, dry_run: true });
    await client.replay({ ...subject, publish: true });
    await client.verify({});
    await client.erase(subject);
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(
      ['admit', 'dismiss', 'resolve', 'replay', 'verify', 'erase'].map((name) => `POST /operations/${name}`),
    );
    expect(requests[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual(subject);
    expect(JSON.parse(requests[4]?.body ?? '')).toEqual({});
  });

  it('is signed together with the bytes of its request', async () => {
    const { client, requests } = await scene(undefined, { credentials: identity, region: 'eu-central-1' });
    await client.admit({ event_id: 'évt-1', reason: 'checked' });
    const [request] = requests;
    if (request === undefined) return expect.unreachable();
    const { given, expected } = readSignature(request, identity.secretAccessKey);
    expect(given).toBe(expected);
    const changed = readSignature({ ...request, body: '{}' }, identity.secretAccessKey);
    expect(changed.expected).not.toBe(given);
  });

  it('is repeated after a fault that may pass, because acts are idempotent', async () => {
    const { client, requests } = await scene(firstThen({ status: 503 }, { body }));
    await client.erase({ event_id: 'evt-1', reason: 'request' });
    expect(requests.map((request) => request.body)).toEqual(
      Array(2).fill('{"event_id":"evt-1","reason":"request"}'),
    );
  });

  it('throws ConflictError, without another attempt, when the state forbids it', async () => {
    const { client, requests } = await scene(() => problem(409));
    const error = await rejection(client.resolve({ order_id: 'order-1', sequence: 3, reason: 'r' }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ name: 'ConflictError', status: 409, problem: { detail: 'Detail.' } });
    expect(error).toHaveProperty('retryAfterSeconds', undefined);
    expect(requests).toHaveLength(1);
  });

  it('throws ConflictError with the time after which a busy subject may be free', async () => {
    const { client, requests } = await scene(() => problem(409, { retry_after_seconds: 12 }));
    const error = await rejection(client.admit({ event_id: 'evt-1', reason: 'r' }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toHaveProperty('retryAfterSeconds', 12);
    expect(requests).toHaveLength(1);
  });

  it('throws UnexpectedResponseError when the response is that of another service', async () => {
    const { client } = await scene(() => ({ body: '{"orders":[]}' }));
    const error = await rejection(client.admit({ event_id: 'evt-1', reason: 'r' }));
    expect(error).toBeInstanceOf(UnexpectedResponseError);
    expect(error).toMatchObject({
      message: expect.stringContaining('is the baseUrl that of the operations API?'),
    });
  });

  it('rejects with the reason of its signal', async () => {
    const { client, requests } = await scene();
    const reason = new Error('stopped');
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client.verify({}, { signal }))).toBe(reason);
    expect(requests).toEqual([]);
  });
});
