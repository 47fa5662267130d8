import { describe, expect, it } from 'vitest';
import { createAccess } from '../../console/server/admission.ts';
import { startConsole } from '../doubles/console.ts';

const key = 'k'.repeat(43);
const command = 'npx payhooks console --no-browser --stack payhooks-shop';

async function start() {
  const access = createAccess({ key, command });
  return { ...(await startConsole({ access, isProxy: true })), access };
}

describe('the key of the console', () => {
  it('becomes a cookie of its port that no script reads and no other site sends, and leaves the address', async () => {
    const { get, baseUrl } = await start();
    const response = await get(`/console/orders/a%2Fb?mode=sandbox&key=${key}`);
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/console/orders/a%2Fb?mode=sandbox',
    ]);
    const cookie = response.headers.get('set-cookie') ?? '';
    // A browser sends it to every port, so that each needs another name.
    const attributes = 'Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict';
    expect(cookie).toBe(`payhooks_console_${new URL(baseUrl).port}=${key}; ${attributes}`);
    const [pair = ''] = cookie.split(';');
    const again = await get('/console/orders/a%2Fb?mode=sandbox', {
      headers: { cookie: `theme=dark; ${pair}` },
    });
    expect(again.status).toBe(200);
  });

  it('gives each console an id, the same for one key, which is not known without the key', async () => {
    const idOf = async (own: string) => {
      const { get } = await startConsole({ access: createAccess({ key: own, command }) });
      const response = await get('/console/api/stack', { headers: { cookie: `payhooks_console=${own}` } });
      return ((await response.json()) as { console_id: string }).console_id;
    };
    const id = await idOf(key);
    expect(id).toMatch(/^[\w-]{43}$/);
    expect(id).not.toBe(key);
    expect(await idOf(key)).toBe(id);
    expect(await idOf('l'.repeat(43))).not.toBe(id);
  });

  it.each(['/', '/console/events', '/console/assets/page-1.js'])(
    'is needed for %s: without it a plain page names the command that prints the link',
    async (path) => {
      const { get } = await start();
      const response = await get(path);
      expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
        401,
        'text/plain; charset=utf-8',
        `This console needs its key. Open the link that this command printed: ${command}\n`,
      ]);
    },
  );

  it.each(['/console/api/stack', '/orders', '/operations/waiting', '/console/api/acts/plan'])(
    'is needed for %s: without it the page gets problem details',
    async (path) => {
      const { get, post } = await start();
      const response = path.endsWith('plan') ? await post(path, {}) : await get(path);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ status: 401, detail: expect.stringContaining(command) });
    },
  );

  it.each(['', 'wrong', `${key}x`, key.slice(1)])('is refused when it is "%s"', async (wrong) => {
    const { get } = await start();
    const inAddress = await get(`/?key=${wrong}`);
    expect([inAddress.status, inAddress.headers.get('set-cookie')]).toEqual([401, null]);
    const headers = { cookie: `payhooks_console=${wrong}; other=${key}` };
    expect((await get('/', { headers })).status).toBe(401);
  });

  it('is not taken from an address that another host name or another method leads to', async () => {
    const { raw, post } = await start();
    const foreign = await raw(`/?key=${key}`, { host: 'shop.example' });
    expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
    const posted = await post(`/console/api/acts/plan?key=${key}`, {});
    expect([posted.status, posted.headers.get('set-cookie')]).toEqual([401, null]);
  });
});

describe('a one-time key of the console', () => {
  it('opens the console once, because other users can read the arguments of a program', async () => {
    const { get, access } = await start();
    const oneTimeKey = access.createOneTimeKey();
    const first = await get(`/?key=${oneTimeKey}`);
    expect([first.status, first.headers.get('set-cookie')]).toEqual([
      303,
      expect.stringContaining(`=${key}; Path=/;`),
    ]);
    expect((await get(`/?key=${oneTimeKey}`)).status).toBe(401);
  });
});
