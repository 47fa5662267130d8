import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import { describe, expect, it, onTestFinished } from 'vitest';
import { asApiError, failureTitle, getApi } from '../../../console/page/data/api.ts';
import { apiPath } from '../../../console/page/data/href.ts';

/** The address of a server that responds so to every request. */
async function responding(status: number, body: string): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  onTestFinished(() => closeServer(server));
  return listen(server, { host: '127.0.0.1', port: 0 });
}

describe('requests to the API', () => {
  it.each(['.', '..'])('are not sent for the id %s, which is not called unknown either', async (id) => {
    // A browser would request another path.
    for (const path of [apiPath.eventRecords(id), apiPath.orderEvents(id), apiPath.order(id)]) {
      const error = asApiError(await getApi(path, { mode: 'live' }).catch((thrown) => thrown));
      expect(error.message).toContain('so the APIs have no address for it');
      expect([error.status, failureTitle(error)]).toEqual([0, 'This id cannot be looked up']);
    }
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
    await expect(getApi(await responding(status, body))).rejects.toMatchObject({
      name: 'ApiError',
      status,
      message,
    });
  });
});
