import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';
import { notFound, pages, whenLoaded } from './pages.ts';

const widths = [320, 768, 1280, 2560];
/** The widths at which axe looks, which takes a second each time: the layouts differ by width, not by theme. */
const axeWidths = { light: [320, 1280], dark: [768, 2560] };

const { browser, local } = await openSuite();

describe.each(Object.entries(pages))('the page "%s"', (_, path) => {
  it.each(['light', 'dark'] as const)(
    'is accessible, does not scroll sideways and breaks no word at any width, in the %s theme',
    async (theme) => {
      const page = await openPage(browser, { ...local, path, theme, expected: notFound });
      await whenLoaded(page);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await expectTidyLayout(page);
        if (axeWidths[theme].includes(width)) await expectAccessible(page);
      }
    },
  );

  it('answers its question in the first lines, in words', async () => {
    const page = await openPage(browser, { ...local, path, expected: notFound });
    await whenLoaded(page);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.title()).toMatch(/. · payhooks$/);
    // The lead of the page, or the title of what takes its place.
    expect(await page.locator('.page-lead, .callout-title, .empty-title').first().innerText()).toMatch(
      /\w+ \w+/,
    );
  });

  it('moves nothing for a reader who prefers no motion', async () => {
    const page = await openPage(browser, { ...local, path, reducedMotion: true, expected: notFound });
    await whenLoaded(page);
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter(({ playState, effect }) => {
          const { iterations = 1, duration = 0 } = effect?.getComputedTiming() ?? {};
          return playState === 'running' && Number(duration) * iterations > 10;
        }).length,
    );
    expect(moving).toBe(0);
  });
});

describe('the frame of the console', () => {
  it('reflows at a zoom of 400 %: a window of 1,280 by 1,024 px then has room for 320 by 256', async () => {
    for (const path of ['/', pages['order with a double charge'], pages['waiting room']]) {
      const page = await openPage(browser, { ...local, path: path ?? '/', width: 320, height: 256 });
      await whenLoaded(page);
      await expectTidyLayout(page);
      // What stays on the screen while the page scrolls leaves most of it to the page.
      const covered = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((element) => ['fixed', 'sticky'].includes(getComputedStyle(element).position))
          .map((element) => element.getBoundingClientRect())
          .filter(({ width, height }) => width > 160 && height > 0)
          .reduce((sum, { height }) => sum + height, 0),
      );
      expect(covered).toBeLessThan(256 / 2);
    }
  });

  it('is accessible where a list cannot be read', async () => {
    const page = await openPage(browser, { ...local, path: '/console/orders', expected: /a status of 500/ });
    const body = '{"title":"Internal error","status":500,"detail":"The table does not respond."}';
    await page.route('**/orders?*', (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body }),
    );
    await page.reload();
    await page.getByText('The table does not respond.').first().waitFor();
    await expectAccessible(page);
  });

  it('keeps its statuses and its focus visible in forced colours', async () => {
    const path = pages['order with a double charge'] ?? '/';
    const page = await openPage(browser, { ...local, path, forcedColors: true });
    await whenLoaded(page);
    await expectAccessible(page);
    await page.keyboard.press('Tab');
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
      return [outlineStyle, outlineWidth];
    });
    expect(outline).not.toContain('none');
    expect(outline).not.toContain('0px');
  });
});
