import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostileTexts, shownInBody, shownTexts } from './hostile.ts';
import { expectTidyLayout } from './layout.ts';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';
import { pages, whenLoaded } from './pages.ts';

const { browser, local } = await openSuite({ content: 'known and hostile orders' });

const names = Object.keys(hostileTexts) as (keyof typeof hostileTexts)[];

/** Nothing ran, nothing became an element or an address, and the page is as wide as its window, on a phone too. */
async function expectHarmless(page: Page): Promise<void> {
  await whenLoaded(page);
  await expectTidyLayout(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectTidyLayout(page);
  expect(await page.evaluate('window.hostile')).toBeUndefined();
  expect(await page.locator('[onerror], [onload], img[src="x"], [href^="javascript:" i]').count()).toBe(0);
}

const shows = (page: Page, selector: string, text: string): Promise<void> =>
  expect.poll(() => page.locator(selector).innerText()).toContain(text);

describe.each(names)('a text with "%s" in every field', (name) => {
  const [id, shown] = [encodeURIComponent(hostileTexts[name]), shownTexts[name]];

  it.each(['orders', 'transactions'])('is text on its page of %s', async (kind) => {
    const page = await openPage(browser, { ...local, path: `/console/${kind}/${id}`, width: 320 });
    await shows(page, 'h1', shown);
    await page.locator('.timeline-entry, .facts').first().waitFor();
    await expectHarmless(page);
  });

  it('is text on the page of its event, with its customer data', async () => {
    const page = await openPage(browser, { ...local, path: `/console/events/${id}%20event`, width: 320 });
    await shows(page, 'h1', `${shown} event`);
    await page.getByRole('button', { name: 'Show customer data' }).click();
    await shows(page, '[aria-label="the payload"]', `"name": "${shownInBody[name]}"`);
    await expectHarmless(page);
  });

  it('is text in a search that finds nothing', async () => {
    const path = `/console/search?q=${id}%20unknown`;
    const page = await openPage(browser, { ...local, path, width: 320, expected: /status of 40[04]/ });
    await shows(page, '.page-lead', `"${shown} unknown"`);
    await expectHarmless(page);
  });
});

describe('with hostile texts in every field', () => {
  it.each(['events', 'orders', 'waiting room'])('the list "%s" shows them as text', async (name) => {
    // Tall enough for all rows at once.
    const page = await openPage(browser, { ...local, path: pages[name] ?? '/', width: 320, height: 10_000 });
    for (const shown of Object.values(shownTexts)) await shows(page, 'main', shown);
    await expectHarmless(page);
  });

  it('the overview stays as it is', async () => {
    const page = await openPage(browser, { ...local, width: 320 });
    await page.locator('.page-lead').waitFor();
    await expectHarmless(page);
  });
});
