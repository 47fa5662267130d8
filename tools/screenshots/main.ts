/** `npm run screenshots`: draws docs/images from local mode. tools/screenshots/README.md. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/browser/chromium.ts';
import { startLocalMode } from '../local-mode.ts';
import { deliver, privateKey } from './deliver.ts';
import { orderId, story, storyEnd } from './story.ts';
import { createStoryTimes } from './story-times.ts';

const documents = join(import.meta.dirname, '../../docs/images');
const viewport = { width: 1080, height: 1000 };

const local = await startLocalMode('--no-demo', '--private-key', privateKey);
const browser = await launchChromium('--font-render-hinting=none', '--force-color-profile=srgb');
try {
  const inStoryTimes = createStoryTimes(await deliver(local.baseUrl, story));
  for (const theme of ['light', 'dark'] as const) {
    const image = await draw(theme, { browser, baseUrl: local.baseUrl, inStoryTimes });
    await writeFile(join(documents, `order-timeline-${theme}.png`), image);
    process.stdout.write(`order-timeline-${theme}.png ${(image.length / 1024).toFixed(0)} KB\n`);
  }
} finally {
  await browser.close();
  await local.stop();
}

interface Studio {
  readonly browser: Browser;
  readonly baseUrl: string;
  readonly inStoryTimes: (json: string) => string;
}

async function draw(theme: 'light' | 'dark', { browser, baseUrl, inStoryTimes }: Studio): Promise<Buffer> {
  const context = await browser.newContext({
    ...{ baseURL: baseUrl, viewport, colorScheme: theme, deviceScaleFactor: 2 },
    ...{ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(storyEnd);
  await page.route(
    ({ pathname }) => !/^\/console\/assets/.test(pathname),
    async (route) => {
      const response = await route.fetch();
      const isJson = response.headers()['content-type']?.includes('json') === true;
      await route.fulfill({ response, ...(isJson && { body: inStoryTimes(await response.text()) }) });
    },
  );
  await page.goto(`/console/orders/${orderId}`);
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.locator('.connection.is-open').waitFor({ state: 'attached' });
  // Without the strip that a page keeps for its scrollbar.
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
  const clip = await timelineOf(page);
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide', clip });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
  return image;
}

/** From the title of an order to the end of its timeline. */
async function timelineOf(page: Page) {
  const [content, bar, timeline] = await Promise.all(
    ['.content', '.top-bar', '.section:has(.timeline)'].map((one) => page.locator(one).boundingBox()),
  );
  if (!content || !bar || !timeline) throw new Error('The page of an order has no timeline.');
  const bottom = timeline.y + timeline.height + (content.x + content.width - timeline.x - timeline.width);
  return { x: content.x, y: bar.height, width: content.width, height: bottom - bar.height };
}
