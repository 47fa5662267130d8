import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

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

const patienceMilliseconds = 15_000;
/** Text, because the tests of a deployment are compiled without the types of a browser. */
const throwViolations = `document.addEventListener('securitypolicyviolation', (violation) => {
  throw new Error('The content security policy blocked ' + violation.violatedDirective + ' ' + violation.blockedURI);
});`;

/**
 * A page in a profile of its own. When the test ends, it fails if the page logged an error, threw one, broke its
 * content security policy, opened a dialog of the browser or a window, or sent a request to another origin.
 */
export async function openPage(browser: Browser, options: PageOptions): Promise<Page> {
  const context = await browser.newContext(contextOptions(options));
  context.setDefaultTimeout(patienceMilliseconds);
  const complaints: string[] = [];
  const complain = (text: string): void => {
    if (options.expected?.test(text) !== true) complaints.push(text);
  };
  await context.addInitScript({ content: throwViolations });
  const { origin } = new URL(options.baseUrl);
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complain(`A request left for ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`Uncaught: ${error.error().message}`));
  context.on('dialog', (dialog) => {
    complain(`A dialog of the browser opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const page = await context.newPage();
  context.on('page', (other) => complain(`A window opened: ${other.url()}`));
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(options.path ?? '/');
  return page;
}

function contextOptions(options: PageOptions): BrowserContextOptions {
  const { baseUrl, theme = 'light', width = 1280, height = 800, reducedMotion, forcedColors } = options;
  return {
    baseURL: baseUrl,
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: forcedColors ? 'active' : 'none',
    locale: 'en-GB',
    timezoneId: 'UTC',
  };
}
