import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { takePage } from './page-pool.ts';

export interface PageOptions {
  /** Of the console, such as `http://127.0.0.1:4800`. Its other URLs are relative to it. */
  readonly baseUrl: string;
  /** Opened at once; default: the overview. */
  readonly path?: string;
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** What the browser may report as an error because the test itself causes it, such as a lost connection. */
  readonly expected?: RegExp;
}

/**
 * A page that shows nothing of earlier tests. When the test ends, it fails if the page logged an error, threw one,
 * broke its content security policy, opened a dialog of the browser or a window, or sent a request to another origin.
 */
export async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const { baseUrl, path = '/', theme = 'light', width = 1280, height = 800 } = options;
  const { page, complaints, watch, giveBack } = await takePage(browser, baseUrl);
  watch(options.expected);
  onTestFinished(async () => {
    await giveBack();
    expect(complaints).toEqual([]);
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: theme,
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: options.forcedColors ? 'active' : 'none',
  });
  await page.goto(path);
  return page;
}
