import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';
import { notFound, pages, whenLoaded } from './pages.ts';

const { open: openPath } = await openSuite();

async function open(
  name: string,
  more: { readonly theme?: 'dark'; readonly width?: number } = {},
): Promise<Page> {
  // A search asks for an order, an event and a transaction under the same id.
  const page = await openPath(pages[name], { expected: notFound, ...more });
  await whenLoaded(page);
  // The navigation has it once the page knows its stack.
  await page.getByRole('link', { name: 'Laboratory' }).waitFor();
  await page
    .getByRole('link', { name: /orders need attention/ })
    .first()
    .waitFor();
  return page;
}

/** What a reader with a pointer can use, and what Tab has not reached after a whole round. */
async function notReached(page: Page): Promise<string[]> {
  const reach = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      const again = element === null || element === document.body || element.hasAttribute('data-reached');
      element?.setAttribute('data-reached', '');
      return again;
    });
  await page.keyboard.press('Tab');
  while (!(await reach())) await page.keyboard.press('Tab');
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary')]
      .filter((element) => element.checkVisibility() && !element.matches(':disabled, [tabindex="-1"]'))
      // Of radio buttons with one name the arrow keys reach the others.
      .filter(
        (element) => !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked),
      )
      .filter((element) => !element.hasAttribute('data-reached'))
      .map((element) => element.outerHTML.slice(0, 120)),
  );
}

describe('a reader without a pointer', () => {
  it('skips to the content with the first key', async () => {
    const page = await open('orders');
    await page.keyboard.press('Tab');
    await expect.poll(() => page.locator(':focus').innerText()).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('main:focus').count()).toBe(1);
    expect(new URL(page.url()).pathname).toBe('/console/orders');
  });

  it('searches with the key /, and leaves the search with Escape to where the focus was', async () => {
    const page = await open('orders');
    const link = page.getByRole('navigation').getByRole('link', { name: 'Alarms' });
    await link.focus();
    await page.keyboard.press('/');
    const search = page.locator('input:focus');
    await search.fill('order-paid');
    expect(await search.inputValue()).toBe('order-paid');
    await page.keyboard.press('Escape');
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('opens what the search finds with the Enter key', async () => {
    const page = await open('overview');
    await page.keyboard.press('/');
    await page.keyboard.type('order-double-charge');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/orders/order-double-charge');
  });

  it.each(['overview', 'order with a double charge', 'event with two bodies', 'alarm', 'laboratory'])(
    'reaches everything that can be used on the page "%s"',
    async (name) => {
      expect(await notReached(await open(name))).toEqual([]);
    },
  );
});

describe('a dialog', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
  ] as const)(
    'is accessible in the %s theme at %i px, keeps the focus, and gives it back at Escape',
    async (theme, width) => {
      const page = await open('event with two bodies', { ...(theme === 'dark' && { theme }), width });
      const opener = page.getByRole('button', { name: /Dismiss/ }).first();
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page);
      await expectTidyLayout(page);
      for (let presses = 0; presses < 12; presses += 1) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.closest('dialog, body')?.tagName)).toMatch(
          /DIALOG|BODY/,
        );
        expect(await page.locator('main :focus:not(dialog *)').count()).toBe(0);
      }
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );
});
