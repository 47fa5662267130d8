import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';
import { notFound, pages, whenLoaded } from './pages.ts';

/** At half of the widths axe looks at the light theme, at the others at the dark one: layouts differ by width. */
const axeThemes = {
  320: 'light',
  390: 'dark',
  768: 'light',
  1280: 'dark',
  1440: 'light',
  2560: 'dark',
} as const;

const { open } = await openSuite({ content: 'known and hostile orders' });

// All in one test: a new page takes most of the CPU.
it.each(Object.entries(pages))(
  'the page "%s" answers its question first, moves nothing unasked, and is accessible and tidy at any width',
  async (_, path) => {
    const page = await open(path, { reducedMotion: true, expected: notFound });
    await whenLoaded(page);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    await expect.poll(() => page.title()).toMatch(/. · payhooks$/);
    // The lead of the page, or the title of what takes its place.
    await expect
      .poll(() => page.locator('.page-lead, .callout-title, .empty-title').first().innerText())
      .toMatch(/\w+ \w+/);

    // Its reader prefers no motion.
    const moving = await page.evaluate(
      () =>
        document.getAnimations().filter(({ playState, effect }) => {
          const { iterations = 1, duration = 0 } = effect?.getComputedTiming() ?? {};
          return playState === 'running' && Number(duration) * iterations > 10;
        }).length,
    );
    expect(moving).toBe(0);

    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const [width, axeTheme] of Object.entries(axeThemes)) {
      await page.setViewportSize({ width: Number(width), height: 800 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectTidyLayout(page);
        if (colorScheme === axeTheme) await expectAccessible(page);
      }
    }
  },
);

describe('the frame of the console', () => {
  it('reflows at a zoom of 400 %: a window of 1,280 by 1,024 px then has room for 320 by 256', async () => {
    const page = await open('/', { width: 320, height: 256 });
    for (const path of ['/', pages['order with a double charge'], pages['waiting room']]) {
      await page.goto(path ?? '/');
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
    const page = await open('/console/orders', { expected: /a status of 500/ });
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
    const page = await open(path, { forcedColors: true });
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
