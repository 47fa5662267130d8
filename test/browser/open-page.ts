import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export interface PageOptions {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** Pixels of a screen per pixel of the page. */
  readonly scale?: number;
  readonly reducedMotion?: boolean;
  readonly forcedColors?: boolean;
  /** What the browser may report as an error because the test itself causes it, such as a lost connection. */
  readonly expected?: RegExp;
}

const patienceMilliseconds = 180_000;
/** Text, because the tests of a deployment are compiled without the types of a browser. */
const throwViolations = `document.addEventListener('securitypolicyviolation', (violation) => {
  throw new Error('The content security policy blocked ' + violation.violatedDirective + ' ' + violation.blockedURI);
});`;

/**
 * A page that shows nothing of earlier tests. When the test ends, it fails if the page logged an error, threw one,
 * broke its content security policy, opened a dialog of the browser or a window, or sent a request to another origin.
 */
export async function openPage(
  browser: Browser,
  { baseUrl, path, ...options }: PageOptions & { readonly baseUrl: string; readonly path: string },
): Promise<Page> {
  const { theme = 'light', width = 1280, height = 800 } = options;
  const context = await browser.newContext({
    ...{ baseURL: baseUrl, locale: 'en-GB', timezoneId: 'UTC', viewport: { width, height } },
    colorScheme: theme,
    deviceScaleFactor: options.scale ?? 1,
    reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference',
    forcedColors: options.forcedColors ? 'active' : 'none',
  });
  context.setDefaultTimeout(patienceMilliseconds);
  await context.addInitScript({ content: throwViolations });
  const page = await context.newPage();
  const complaints: string[] = [];
  listen(context, new URL(baseUrl).origin, (text) => {
    if (options.expected?.test(text) !== true) complaints.push(text);
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  await page.goto(path);
  return page;
}

/** Reports what no page of the console may do. */
function listen(context: BrowserContext, origin: string, complain: (text: string) => void): void {
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complain(`A request left for ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error') complain(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complain(`Uncaught: ${error.error().message}`));
  context.on('page', (page) => complain(`A window opened: ${page.url()}`));
  context.on('dialog', (dialog) => {
    complain(`A dialog of the browser opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
