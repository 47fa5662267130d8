import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { json, type Respond, startDeployedConsole as start } from '../doubles/console.ts';

describe('the proxy of the console', () => {
  it('signs a request with the credentials of the operator, and shows the page none of it', async () => {
    const { get, received } = await start();
    const response = await get('/orders?mode=sandbox&q=a+b', {
      headers: { cookie: 'payhooks_console=secret' },
    });
    expect([response.status, await response.json()]).toEqual([200, { orders: [] }]);
    expect(received[0]?.line).toBe('GET /query/orders?mode=sandbox&q=a%20b');
    expect(received[0]?.headers).toMatchObject({
      authorization: expect.stringMatching(
        /Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request/,
      ),
    });
    expect(received[0]?.headers.cookie).toBeUndefined();
    expect(JSON.stringify([...response.headers])).not.toMatch(/AKIDEXAMPLE|very-secret|Signature=/);
  });

  it.each([
    ['/orders/a%2Fb%20%25', 'GET /query/orders/a%2Fb%20%25'],
    ["/orders/o'neil(1)/events?mode=live", 'GET /query/orders/o%27neil%281%29/events?mode=live'],
    ['/events/e1', 'GET /query/events/e1'],
    ['/transactions/t1', 'GET /query/transactions/t1'],
    ['/operations/waiting?kind=conflict', 'GET /operator/operations/waiting?kind=conflict'],
    ['/operations/waiting/counts', 'GET /operator/operations/waiting/counts'],
    ['/operations/events/e1', 'GET /operator/operations/events/e1'],
    ['/operations/bodies/events/e1', 'GET /operator/operations/bodies/events/e1'],
    ['/operations/bodies/00ff', 'GET /operator/operations/bodies/00ff'],
  ])('passes %s on', async (path, line) => {
    const { get, received } = await start();
    expect((await get(path)).status).toBe(200);
    expect(received.map((one) => one.line)).toEqual([line]);
  });

  it.each([
    ['GET', '/orders/a/b/c', 404],
    ['GET', '/operations/erase', 404],
    ['GET', '/operations/keys', 404],
    ['POST', '/operations/erase', 404],
    ['POST', '/operations/admit', 404],
    ['POST', '/operations/waiting', 405],
    ['DELETE', '/orders/a', 405],
    ['GET', '/orders/%zz', 400],
    ['GET', '/orders?mode=live&mode=sandbox', 400],
    ['GET', '/orders?a%26b=c', 400],
  ])('passes nothing else on: %s %s', async (method, path, status) => {
    const { get, received } = await start();
    const body = method === 'POST' ? '{}' : null;
    const response = await get(path, { method, body, headers: { 'content-type': 'application/json' } });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, detail: expect.stringMatching(/\.$/) });
    expect(received).toEqual([]);
  });

  it('passes status and problem details back, and no header', async () => {
    const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'No such order.' };
    const headers = { 'set-cookie': 'a=b', 'content-type': 'application/problem+json' };
    const { get } = await start(json(404, problem, headers));
    const response = await get('/orders/o1');
    expect([response.status, await response.json()]).toEqual([404, problem]);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('names the permission that API Gateway does not name', async () => {
    const { get } = await start(json(403, { message: 'Forbidden' }));
    expect(await (await get('/orders/o1/events')).json()).toEqual({
      title: 'Forbidden',
      status: 403,
      detail:
        'Your AWS credentials lack execute-api:Invoke on ' +
        'arn:aws:execute-api:eu-west-1:123456789012:query/*/GET/orders/*/events, or have expired (Forbidden).',
    });
  });

  it.each<[string, Respond, RegExp]>([
    [
      'a redirect',
      (response) => response.writeHead(302, { location: 'http://a.example/' }).end(),
      /302 without JSON/,
    ],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      /200 without JSON/,
    ],
    ['11 MB', (response) => json(200, 'x'.repeat(11_000_000))(response, {} as never), /more than 10 MiB/],
  ])('responds 502 to %s in place of an API', async (_, respond, detail) => {
    const { get, received } = await start(respond);
    const response = await get('/orders');
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { detail: expect.stringMatching(detail) },
    ]);
    expect(received).toHaveLength(1);
  });

  it('takes no id for a step in the path', async () => {
    const { raw, received } = await start();
    // fetch would take the step itself.
    expect((await raw('/orders/%2e%2e', {})).status).toBe(404);
    expect((await raw('/orders/../events/e1', {})).status).toBe(404);
    expect(received).toEqual([]);
  });

  it('responds 503 when the API cannot be reached', async () => {
    const { get } = await start((response) => response.destroy());
    expect(await (await get('/orders')).json()).toMatchObject({
      status: 503,
      detail: expect.stringMatching(/^127\.0\.0\.1:\d+ could not be reached \(UND_ERR_SOCKET\)\.$/),
    });
  });
});

describe('the credentials of the console', () => {
  const profile = (id: string): string => `[default]\naws_access_key_id=${id}\naws_secret_access_key=s\n`;

  it('are explained while they are missing, and count without a restart once they are renewed', async () => {
    const { get, received } = await start((response, one) => {
      const isExpired = one.headers.authorization?.includes('Credential=AKIDOLD/');
      json(isExpired ? 403 : 200, isExpired ? { message: 'Forbidden' } : {})(response, one);
    });
    const folder = await mkdtemp(join(tmpdir(), 'payhooks-credentials-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'credentials');
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', undefined);
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    const first = await get('/orders');
    expect(await first.json()).toMatchObject({
      status: 403,
      detail: expect.stringMatching(
        /^There are no AWS credentials: .* Set AWS_PROFILE, or AWS_ACCESS_KEY_ID/,
      ),
    });
    await writeFile(file, profile('AKIDOLD'));
    expect((await get('/orders')).status).toBe(403);
    await writeFile(file, profile('AKIDNEW'));
    expect((await get('/orders')).status).toBe(200);
    expect(received).toHaveLength(2);
  });
});
