import type { EventEmitter } from 'node:events';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

/** A page, and what it did that no page of the console may do. */
export interface PooledPage {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Forgets the complaints. From now on, a text that `expected` matches is none. */
  watch(expected: RegExp | undefined): void;
  /** Takes it away from its test; the next test may get it, as empty as a new one. */
  giveBack(): Promise<void>;
}

const patienceMilliseconds = 60_000;
/** Text, because the tests of a deployment are compiled without the types of a browser. */
const throwViolations = `document.addEventListener('securitypolicyviolation', (violation) => {
  throw new Error('The content security policy blocked ' + violation.violatedDirective + ' ' + violation.blockedURI);
});`;

// A new page takes four times as much CPU as a navigation: hence a test goes on with the page of an earlier one.
const idlePages = new WeakMap<Browser, Map<string, PooledPage[]>>();

/** A page in a profile of its own. */
export async function takePage(browser: Browser, baseUrl: string): Promise<PooledPage> {
  const byAddress = idlePages.get(browser) ?? new Map<string, PooledPage[]>();
  idlePages.set(browser, byAddress);
  const idle = byAddress.get(baseUrl) ?? [];
  byAddress.set(baseUrl, idle);
  return idle.pop() ?? createPage(browser, baseUrl, idle);
}

async function createPage(browser: Browser, baseURL: string, idle: PooledPage[]): Promise<PooledPage> {
  const context = await browser.newContext({ baseURL, locale: 'en-GB', timezoneId: 'UTC' });
  context.setDefaultTimeout(patienceMilliseconds);
  await context.addInitScript({ content: throwViolations });
  const { origin } = new URL(baseURL);
  const complaints: string[] = [];
  let expected: RegExp | undefined;
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  listen(context, origin, (text) => {
    if (expected?.test(text) !== true) complaints.push(text);
  });
  const removeListeners = [page, context].map((one) => listenersOf(one as unknown as EventEmitter));
  const pooled: PooledPage = {
    ...{ page, complaints },
    watch(next) {
      complaints.length = 0;
      expected = next;
    },
    async giveBack() {
      for (const remove of removeListeners) remove();
      if (await canBeEmptied(page, session, origin)) idle.push(pooled);
      else await context.close();
    },
  };
  return pooled;
}

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

/** Remembers the listeners of now; the returned function removes all others. */
function listenersOf(emitter: EventEmitter): () => void {
  const own = new Set(emitter.eventNames().flatMap((name) => emitter.listeners(name)));
  return function removeAddedListeners() {
    for (const name of emitter.eventNames())
      for (const listener of emitter.listeners(name))
        if (!own.has(listener)) emitter.off(name, listener as () => void);
  };
}

/** Removes what a test may leave: its routes, the place of its pointer, its document, and its data. */
async function canBeEmptied(page: Page, session: CDPSession, origin: string): Promise<boolean> {
  if (page.isClosed() || page.context().pages().length > 1) return false;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().unrouteAll({ behavior: 'ignoreErrors' });
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  return true;
}
