import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type LocalConsole, type LocalConsoleOptions, openLocalConsole } from './local-console.ts';

/** A Chromium and a local mode with its console, for all tests of a file: both end after them. */
export async function openSuite(
  options?: LocalConsoleOptions,
): Promise<{ readonly browser: Browser; readonly local: LocalConsole }> {
  const browser = await launchChromium();
  afterAll(() => browser.close());
  const local = await openLocalConsole(options);
  afterAll(() => local.close());
  return { browser, local };
}
