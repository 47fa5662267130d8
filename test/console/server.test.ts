import { describe, expect, it, vi } from 'vitest';
import type { StackInfo } from '../../console/contract.ts';
import type { ConsoleRequest } from '../../console/server/context.ts';
import { memoryLog, startConsole } from '../doubles/console.ts';

describe('the page of the console', () => {
  it('lets nothing inline and nothing from elsewhere run', async () => {
    const { get } = await startConsole();
    const response = await get('/');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  it.each(['/', '/?mode=sandbox', '/console', '/console/orders/a%2Fb%25', '/console/apiary', '/console/%zz'])(
    'is the document at %s, so that a permalink survives a reload',
    async (path) => {
      const { get } = await startConsole();
      expect(await (await get(path)).text()).toBe('<!doctype html><title>page</title>');
    },
  );

  it('refers to files that the server has, and to no others', async () => {
    const { get } = await startConsole();
    const file = await get('/console/assets/page-1.js');
    expect([file.headers.get('content-type'), await file.text()]).toEqual([
      'text/javascript; charset=utf-8',
      '"page"',
    ]);
    const missing = await get('/console/assets/..%2fserver.ts');
    expect([missing.status, await missing.text()]).toEqual([
      404,
      'There is no such file. The console is at /.\n',
    ]);
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['identity', null],
  ])('is compressed for a browser that accepts %s: %s', async (accepted, encoding) => {
    const body = Buffer.from('x'.repeat(100_000));
    const document = async () => ({ body, build: 'b1' });
    const { get } = await startConsole({ assets: { document, asset: () => undefined } });
    const response = await get('/', { headers: { 'accept-encoding': accepted } });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(await response.text()).toBe(body.toString());
  });

  it.each(['/orders/1', '/events/1', '/healthz', '/consoles', '/console.css', '//console/'])(
    'leaves %s to the pipeline',
    async (path) => {
      const { get } = await startConsole();
      expect((await get(path)).status).toBe(418);
    },
  );
});

describe('the requests that the console refuses', () => {
  it.each(['127.0.0.1:4800', 'localhost:4800', 'LOCALHOST', '127.8.9.1', '[::1]:4800'])(
    'do not include those under the loopback name %s',
    async (host) => {
      const { raw } = await startConsole();
      expect((await raw('/', { host })).status).toBe(200);
    },
  );

  it.each([
    ...['shop.example', 'localhost.shop.example', '127.0.0.1.shop.example', 'notlocalhost', '10.0.0.1:4800'],
    '',
  ])(
    'include those under the host name "%s", which another site may have pointed at this machine',
    async (host) => {
      const { raw } = await startConsole();
      for (const path of ['/', '/console/assets/page-1.js', '/console/api/stack'])
        expect([path, (await raw(path, { host })).status]).toEqual([path, 403]);
    },
  );

  it.each([
    ['/', 200],
    ['/console/assets/page-1.js', 403],
    ['/console/api/stack', 403],
    ['/orders', 403],
  ])('from a page of another site include %s: %i', async (path, status) => {
    const { raw } = await startConsole({ isProxy: true });
    expect((await raw(path, { 'sec-fetch-site': 'cross-site' })).status).toBe(status);
    expect((await raw(path, { 'sec-fetch-site': 'same-site' })).status).toBe(status);
    // Another port of this machine, in a browser that does not mark the site.
    expect((await raw(path, { origin: 'http://127.0.0.1:9999' })).status).toBe(status);
    expect((await raw(path, { origin: 'null' })).status).toBe(status);
  });

  it.each([
    ['/', 'POST', 'GET, HEAD'],
    ['/console/api/stack', 'POST', 'GET, HEAD'],
  ])('include %s with %s, and name the allowed methods', async (path, method, allow) => {
    const { get } = await startConsole();
    const response = await get(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
  });
});

describe('the API of the console', () => {
  it('describes the stack that it shows', async () => {
    const { get } = await startConsole();
    const response = await get('/console/api/stack');
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toEqual({
      name: 'payhooks-shop',
      kind: 'aws',
      region: 'eu-west-1',
      account: '123456789012',
      webhook_url: 'https://hooks.shop.example/webhooks/payments',
      build: 'b1',
      changes: expect.any(Number),
      laboratory: false,
      stack_option: '--stack payhooks-shop',
    });
  });

  it('counts another change with each line of a function, and every ten seconds where it has none', async () => {
    const { log, add } = memoryLog();
    vi.useFakeTimers({ toFake: ['Date'] });
    const [local, deployed] = [await startConsole({ log }), await startConsole()];
    const changesOf = async ({ get }: typeof local) =>
      ((await (await get('/console/api/stack')).json()) as StackInfo).changes;
    const [first, second] = [await changesOf(local), await changesOf(deployed)];
    vi.advanceTimersByTime(10_000);
    expect([await changesOf(local), await changesOf(deployed)]).toEqual([first, second + 1]);
    add();
    expect(await changesOf(local)).not.toBe(first);
  });

  it('passes on the sentence that the command line prints for an error', async () => {
    const error = Object.assign(new Error('not authorized to perform: x:Y'), { name: 'AccessDenied' });
    const { get } = await startConsole({ stack: () => Promise.reject(error) });
    expect(await (await get('/console/api/stack')).json()).toEqual({
      title: 'Forbidden',
      status: 403,
      detail: 'The AWS credentials lack a permission: not authorized to perform: x:Y',
    });
  });
});

describe('a resource that is added to the API of the console', () => {
  const echo = {
    ...({ method: 'POST', path: '/console/api/laboratory/{name}' } as const),
    handle: async ({ parameters, body }: ConsoleRequest) => ({ parameters, body }),
  };

  it('gets the parameters of its path, decoded once, and the JSON of the body', async () => {
    const { post } = await startConsole({ laboratory: [echo] });
    const response = await post('/console/api/laboratory/a%2Fb%2525', { text: 'é' });
    expect(await response.json()).toEqual({ parameters: { name: 'a/b%25' }, body: { text: 'é' } });
  });

  it.each([
    ['a body of another type', { 'content-type': 'text/plain' }, '{}', 415],
    ['a body without a type', { 'content-type': '' }, '{}', 415],
    ['a body that is no JSON', { 'content-type': 'application/json' }, '{', 400],
    ['a body of 70 KB', { 'content-type': 'application/json' }, `"${'a'.repeat(70_000)}"`, 413],
    [
      'a page of another site',
      { 'content-type': 'application/json', origin: 'https://a.example' },
      '{}',
      403,
    ],
  ])('refuses %s', async (_, headers, body, status) => {
    const { get } = await startConsole({ laboratory: [echo] });
    const response = await get('/console/api/laboratory/a', { method: 'POST', headers, body });
    expect(response.status).toBe(status);
  });

  it('refuses a path that is not well percent-encoded', async () => {
    const { post } = await startConsole({ laboratory: [echo] });
    expect((await post('/console/api/laboratory/%zz', {})).status).toBe(400);
  });
});
