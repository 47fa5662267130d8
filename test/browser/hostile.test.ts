import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostileTexts } from './hostile.ts';
import { expectTidyLayout } from './layout.ts';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';
import { notFound, pages, whenLoaded } from './pages.ts';

const { browser, local } = await openSuite();

/** Nothing ran, nothing became an element or an address, and the page is as wide as its window. */
async function expectHarmless(page: Page): Promise<void> {
  await whenLoaded(page);
  expect(await page.evaluate('window.hostile')).toBeUndefined();
  expect(await page.locator('[onerror], [onload], img[src="x"], [href^="javascript:" i]').count()).toBe(0);
  await expectTidyLayout(page);
}

describe.each(Object.entries(hostileTexts))('with the text "%s" in every field', (_, text) => {
  it.each([
    ['order', `/console/orders/${encodeURIComponent(text)}`],
    ['event', `/console/events/${encodeURIComponent(`${text} event`)}`],
    ['transaction', `/console/transactions/${encodeURIComponent(text)}`],
  ])('the page of the %s shows it as text, and keeps its layout', async (_kind, path) => {
    const page = await openPage(browser, { ...local, path, width: 320 });
    await expectHarmless(page);
    expect(await page.getByText('Not found', { exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectTidyLayout(page);
  });
});

describe('with hostile texts in its lists', () => {
  it.each(['overview', 'events', 'orders', 'waiting room'])('the page "%s" stays as it is', async (name) => {
    const page = await openPage(browser, { ...local, path: pages[name] ?? '/', width: 320 });
    await expectHarmless(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectTidyLayout(page);
  });

  it.each(Object.entries(hostileTexts))('the search for "%s" shows it as text', async (_, text) => {
    const path = `/console/orders?q=${encodeURIComponent(text)}`;
    const page = await openPage(browser, { ...local, path, width: 320, expected: notFound });
    await expectHarmless(page);
  });

  it('the reason of an operator is text in every history', async () => {
    const { image: reason } = hostileTexts;
    await local.operations.resolve({ order_id: 'order-double-charge', sequence: 2, reason });
    await local.operations.dismiss({ event_id: 'evt-conflict', reason });
    for (const path of [pages['order with a double charge'], pages['event with two bodies']]) {
      const page = await openPage(browser, { ...local, path: path ?? '/', width: 320 });
      await expectHarmless(page);
      expect(await page.getByText('onerror').count()).toBeGreaterThan(0);
    }
  });
});
