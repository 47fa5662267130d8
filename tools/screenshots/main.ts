/** `npm run screenshots`: draws docs/images from local mode. tools/screenshots/README.md. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../../test/browser/chromium.ts';
import { startLocalMode } from '../local-mode.ts';
import { deliver, keys } from './deliver.ts';
import { type Picture, pictures } from './pictures.ts';
import { story, storyEnd } from './story.ts';
import { createStoryTimes } from './story-times.ts';

const settleMilliseconds = 1_500;
const documents = join(import.meta.dirname, '../../docs/images');
const { values } = parseArgs({ options: { out: { type: 'string' } } });

const local = await startLocalMode('--no-demo', '--private-key', keys.live, '--sandbox-key', keys.sandbox);
const browser = await launchChromium('--font-render-hinting=none', '--force-color-profile=srgb');
try {
  const inStoryTimes = createStoryTimes(await deliver(local.baseUrl, story));
  for (const picture of pictures) {
    const folder = picture.inDocuments ? documents : values.out;
    if (folder === undefined) continue;
    const image = await draw(picture, { browser, baseUrl: local.baseUrl, inStoryTimes });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${picture.name}.png`), image);
    process.stdout.write(`${picture.name}.png ${(image.length / 1024).toFixed(0)} KB\n`);
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

async function draw(picture: Picture, { browser, baseUrl, inStoryTimes }: Studio): Promise<Buffer> {
  const { theme, width, height, path } = picture;
  const context = await browser.newContext({
    ...{ baseURL: baseUrl, viewport: { width, height }, colorScheme: theme, deviceScaleFactor: 2 },
    ...{ locale: 'en-GB', timezoneId: 'UTC', reducedMotion: 'reduce' },
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(storyEnd);
  await page.route(
    ({ pathname }) => !/^\/console\/(assets|api\/live)/.test(pathname),
    async (route) => {
      const response = await route.fetch();
      const isJson = response.headers()['content-type']?.includes('json') === true;
      await route.fulfill({ response, ...(isJson && { body: inStoryTimes(await response.text()) }) });
    },
  );
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  await page.locator('.connection.is-open').waitFor({ state: 'attached' });
  // The counts of what waits come after the page.
  await page.waitForTimeout(settleMilliseconds);
  // Without the strip that a page keeps for its scrollbar.
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
  const clip = picture.inDocuments && { clip: await timelineOf(page) };
  const image = await page.screenshot({ animations: 'disabled', caret: 'hide', ...clip });
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
