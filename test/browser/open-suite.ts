import { afterAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type LocalConsoleOptions, openLocalConsole } from './local-console.ts';
import { openPage, type PageOptions } from './open-page.ts';

/** A local mode, whose console opens in a Chromium, for all tests of a file: both end after them. */
export async function openSuite(content: LocalConsoleOptions = {}) {
  const browser = await launchChromium();
  afterAll(() => browser.close());
  const local = await openLocalConsole(content);
  afterAll(() => local.close());
  /** A page at a path; default: the overview. */
  const open = (path = '/', options: PageOptions = {}) =>
    openPage(browser, { ...options, baseUrl: local.baseUrl, path });
  return { local, open };
}
