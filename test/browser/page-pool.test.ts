import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local';
import { afterAll, expect, it } from 'vitest';
import { launchChromium } from './chromium.ts';
import { takePage } from './page-pool.ts';

const browser = await launchChromium();
afterAll(() => browser.close());
const server = createServer((_, response) =>
  response.setHeader('content-type', 'text/html').end('<p>real</p>'),
);
const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
afterAll(() => closeServer(server));

it('a page that is given back has nothing of its last test, and the pool still watches it', async () => {
  const first = await takePage(browser, baseUrl);
  const events: string[] = [];
  const { page } = first;
  const context = page.context();
  page.on('request', () => events.push('request'));
  page.on('response', () => events.push('response'));
  page.once('console', () => events.push('console'));
  page.on('load', () => events.push('load'));
  context.on('requestfinished', () => events.push('request of the context'));
  const fulfilled = { contentType: 'text/html', body: '<p>of a test</p>' };
  await page.route('**/page', (route) => route.fulfill(fulfilled));
  await context.route('**/context', (route) => route.fulfill(fulfilled));
  await page.goto('/context');
  expect(await page.textContent('p')).toBe('of a test');
  const all = new Set(['request', 'response', 'load', 'request of the context']);
  await expect.poll(() => new Set(events)).toEqual(all);
  await first.giveBack();

  const second = await takePage(browser, baseUrl);
  expect(second.page).toBe(page);
  second.watch(undefined);
  events.length = 0;
  for (const path of ['/page', '/context']) {
    await page.goto(path);
    expect(await page.textContent('p')).toBe('real');
  }
  await page.evaluate("console.error('an error of the page')");
  await expect.poll(() => second.complaints.length).toBe(1);
  expect(events).toEqual([]);
});
