import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asApiError, failureTitle, getApi, postApi } from '../../../console/page/data/api.ts';
import { apiPath } from '../../../console/page/data/href.ts';

let server: Server;
let base: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [status = '200', body = ''] = decodeURIComponent((request.url ?? '').slice(1)).split('|');
    response.statusCode = Number(status);
    if (request.method === 'POST') request.pipe(response);
    else response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

const responding = (status: number, body: string): string =>
  `${base}${encodeURIComponent(`${status}|${body}`)}`;

describe('requests to the API', () => {
  it('send JSON', async () => {
    expect(await postApi(responding(200, ''), { event_id: 'event-1' })).toEqual({ event_id: 'event-1' });
  });

  it.each(['.', '..'])(
    'are not sent for the id %s, for which a browser would request another path',
    async (id) => {
      for (const path of [apiPath.eventRecords(id), apiPath.orderEvents(id), apiPath.order(id)])
        await expect(getApi(path, { mode: 'live' })).rejects.toThrow('so the APIs have no address for it');
    },
  );

  it.each(['.', '..'])('never say that nothing has the id %s, which may have a paid order', async (id) => {
    const error = asApiError(await getApi(apiPath.order(id), { mode: 'live' }).catch((thrown) => thrown));
    expect(error.status).not.toBe(404);
    expect(failureTitle(error)).toBe('This id cannot be looked up');
  });

  it.each([
    [404, '{"title":"Not Found","detail":"No live order has this id."}', 'No live order has this id.'],
    [403, '{"message":"Forbidden"}', 'Your credentials lack the permission for this request.'],
    [
      403,
      '{"detail":"Your credentials lack sqs:StartMessageMoveTask."}',
      'Your credentials lack sqs:StartMessageMoveTask.',
    ],
    [503, '{"message":"Service Unavailable"}', 'The server responded with status 503: Service Unavailable.'],
    [502, '<html>', 'The server responded with status 502.'],
  ])('fail with a sentence for the status %i and the body %s', async (status, body, message) => {
    await expect(getApi(responding(status, body))).rejects.toMatchObject({
      name: 'ApiError',
      status,
      message,
    });
  });

  it('keep the problem details for what a route adds to them', async () => {
    await expect(getApi(responding(409, '{"retry_after_seconds":7}'))).rejects.toMatchObject({
      problem: { retry_after_seconds: 7 },
    });
  });

  it('fail with the status 0 when no server responds', async () => {
    await expect(getApi('http://127.0.0.1:1/')).rejects.toMatchObject({ name: 'ApiError', status: 0 });
  });
});
