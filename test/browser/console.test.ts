import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './chromium.ts';
import { type LocalConsole, openLocalConsole } from './local-console.ts';
import { openPage } from './open-page.ts';

let local: LocalConsole;
let browser: Browser;
beforeAll(async () => {
  [local, browser] = await Promise.all([openLocalConsole({ content: 'demo' }), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await local?.close();
});

it('shows the results of the demo in Chromium, without an error in its console', async () => {
  const page = await openPage(browser, local);
  const body = page.locator('body');
  for (const count of ['refused 1', 'duplicate 1', 'quarantined 1', 'unrecognised 1'])
    await expect.poll(async () => (await body.innerText()).replace(/\s+/g, ' ')).toContain(count);
  for (const order of ['1001', '1002', '1003', '1004', '1005', '1007'])
    expect(await body.innerText()).toContain(`order-${order}-`);

  await page
    .getByText(/^order-1005-/)
    .first()
    .click();
  await expect.poll(() => body.innerText()).toContain('double charge');
  expect(await body.innerText()).toContain('curl');
});
