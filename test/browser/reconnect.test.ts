import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../acceptance/pipeline.ts';
import { expectAccessible } from './accessible.ts';
import { openSuite } from './open-suite.ts';
import { whenLoaded } from './pages.ts';

const { local, open } = await openSuite({ restarts: true });

// A test that fails may leave it stopped.
beforeEach(async () => {
  await local.start();
});

const paid = (orderId: string) => ({ body: bytesOf(paidEvent({ orderId })) });
const banner = (page: Page) => page.locator('.connection-banner');
const isLive = (page: Page) => page.locator('.connection.is-open').waitFor({ state: 'attached' });
/** What the browser reports while the server is stopped or starts. */
const lost =
  /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|status of 503/;

/** Headless Chromium takes every tab for a visible one. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    hidden ? 'hidden' : 'visible',
  );
}

describe('a page whose server ends and starts again', () => {
  it.each(['SIGINT', 'SIGKILL'] as const)(
    'shows the reason, and recovers by itself with its address, filters and data, after %s',
    async (signal) => {
      const path = '/console/orders?status=paid';
      const page = await open(path, { expected: lost });
      await whenLoaded(page);
      await isLive(page);
      await page.evaluate(() => document.body.setAttribute('data-loaded', 'once'));
      await local.stop(signal);
      await banner(page).waitFor();
      await expect
        .poll(() => banner(page).innerText())
        .toMatch(/^No server is running at 127\.0\.0\.1:\d+\.\s+Data as of \d\d:\d\d:\d\d\./);
      const { port } = new URL(local.baseUrl);
      expect(await banner(page).innerText()).toContain(`run npm start -- --port ${port};`);
      await expect.poll(() => page.getByText('order-paid').count()).toBeGreaterThan(0);
      // Also on a page that was not read before, it is the only message.
      await page.getByRole('link', { name: /^Waiting/ }).click();
      await page.getByRole('heading', { name: 'Waiting room' }).waitFor();
      await expect.poll(() => page.locator('.callout').count()).toBe(1);
      await page.goBack();

      await local.start();
      await banner(page).waitFor({ state: 'detached' });
      await isLive(page);
      expect(page.url()).toBe(`${local.baseUrl}${path}`);
      await expect.poll(() => page.locator('body').getAttribute('data-loaded')).toBe('once');
      await local.send(paid(`order-p-after-${signal}`));
      await page.getByText(`order-p-after-${signal}`).first().waitFor();
    },
  );

  it('is a page that waits, and no JSON, as long as local mode starts', async () => {
    const page = await open('/console/orders', { expected: lost });
    const starting = { title: 'Unavailable', status: 503, detail: 'Local mode is starting.' };
    await page.route('**/console/api/stack', (route) => route.fulfill({ status: 503, json: starting }));
    await page.reload();
    await page.getByRole('heading', { name: 'payhooks is starting' }).waitFor();
    await expect.poll(() => page.locator('.page-lead').innerText()).toMatch(/^Local mode is starting\./);
    expect(await page.locator('.callout').count()).toBe(0);
    await expectAccessible(page);
    // It stays while the page asks again.
    await page.evaluate(() => document.querySelector('h1')?.setAttribute('data-kept', ''));
    for (let look = 0; look < 3; look += 1) await page.waitForResponse('**/console/api/stack');
    expect(await page.locator('h1[data-kept]').count()).toBe(1);
    await page.unroute('**/console/api/stack');
    await page.getByText('order-paid').first().waitFor();

    await local.stop();
    const started = local.start();
    // The first response of the port that was closed.
    const response = await eventually(
      () => fetch(local.baseUrl).catch(() => undefined),
      (received) => received !== undefined,
    );
    expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8');
    await started;
  });
});

describe('a tab that is hidden', () => {
  it('reads nothing, and catches up as soon as it is shown', async () => {
    const page = await open('/console/orders');
    await page.clock.install();
    await page.reload();
    await whenLoaded(page);
    await isLive(page);
    await setHidden(page, true);
    await local.send(paid('order-while-hidden'));
    const reads: string[] = [];
    page.on('request', (request) => reads.push(request.url()));
    await page.clock.runFor(10_000);
    expect(reads).toEqual([]);
    await setHidden(page, false);
    await page.getByText('order-while-hidden').first().waitFor();
  });
});
