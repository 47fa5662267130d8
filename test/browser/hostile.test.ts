import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hostileTexts, shownInBody, shownTexts } from './hostile.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';
import { pages, whenLoaded } from './pages.ts';

const { open } = await openSuite({ content: 'known and hostile orders' });

/** Nothing ran, nothing became an element or an address, and the page is as wide as its window, on a phone too. */
async function expectHarmless(page: Page): Promise<void> {
  await whenLoaded(page);
  await expectTidyLayout(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectTidyLayout(page);
  expect(await page.evaluate('window.hostile'), page.url()).toBeUndefined();
  const active = page.locator('[onerror], [onload], img[src="x"], [href^="javascript:" i]');
  expect(await active.count(), page.url()).toBe(0);
}

const shows = (page: Page, selector: string, text: string): Promise<void> =>
  expect.poll(() => page.locator(selector).innerText(), { message: page.url() }).toContain(text);

/** Opens an address for each hostile text, one after the other in one page: a new page takes most of the CPU. */
async function forEachText(
  pathOf: (id: string) => string,
  check: (page: Page, name: keyof typeof hostileTexts) => Promise<void>,
  expected?: RegExp,
): Promise<void> {
  const page = await open('/', { ...(expected && { expected }) });
  for (const name of Object.keys(hostileTexts) as (keyof typeof hostileTexts)[]) {
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(pathOf(encodeURIComponent(hostileTexts[name])));
    await check(page, name);
    await expectHarmless(page);
  }
}

describe('a hostile text in every field', () => {
  it.each(['orders', 'transactions'])('is text on its page of %s', async (kind) => {
    await forEachText(
      (id) => `/console/${kind}/${id}`,
      async (page, name) => {
        await shows(page, 'h1', shownTexts[name]);
        await page.locator('.timeline-entry, .facts').first().waitFor();
      },
    );
  });

  it('is text on the page of its event, with its customer data', async () => {
    await forEachText(
      (id) => `/console/events/${id}%20event`,
      async (page, name) => {
        await shows(page, 'h1', `${shownTexts[name]} event`);
        await page.getByRole('button', { name: 'Show customer data' }).click();
        await shows(page, '[aria-label="the payload"]', `"name": "${shownInBody[name]}"`);
      },
    );
  });

  it('is text in a search that finds nothing', async () => {
    await forEachText(
      (id) => `/console/search?q=${id}%20unknown`,
      (page, name) => shows(page, '.page-lead', `"${shownTexts[name]} unknown"`),
      /status of 40[04]/,
    );
  });
});

describe('with hostile texts in every field', () => {
  it.each(['events', 'orders', 'waiting room'])('the list "%s" shows each as text', async (name) => {
    // Tall enough for all rows at once.
    const page = await open(pages[name], { width: 320, height: 10_000 });
    for (const shown of Object.values(shownTexts)) await shows(page, 'main', shown);
    await expectHarmless(page);
  });

  it('the overview stays as it is', async () => {
    const page = await open('/', { width: 320 });
    await page.locator('.page-lead').waitFor();
    await expectHarmless(page);
  });
});
