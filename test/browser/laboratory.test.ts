import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openPage, type PageOptions } from './open-page.ts';
import { openSuite } from './open-suite.ts';

const { browser, local } = await openSuite({ content: 'nothing' });

const open = (options: Partial<PageOptions> = {}) =>
  openPage(browser, { baseUrl: local.baseUrl, path: '/console/laboratory', ...options });

const card = (page: Page, title: string): Locator => page.getByRole('article', { name: title, exact: true });

/** Presses the button of an experiment; resolves with its run once that has ended. */
async function run(page: Page, title: string): Promise<Locator> {
  const started = page.waitForResponse((response) => response.request().method() === 'POST');
  await card(page, title).getByRole('button').click();
  const { id } = (await (await started).json()) as { readonly id: string };
  const found = page.locator(`[data-run="${id}"]`);
  await found
    .getByRole('status')
    .getByText(/expected/)
    .waitFor({ timeout: 120_000 });
  return found;
}

const quick = [
  ...['Paid', 'Partial refund', 'Refund', 'Duplicate', 'Refund first', 'Double charge', 'Sandbox'],
  ...['Conflict', 'Refund without an order', 'Forged', 'Mislabelled', 'Malformed'],
];

// The tests run in this order over one local mode, which is empty at first.
it('an empty console leads to the laboratory, until there is an event', async () => {
  const page = await open({ path: '/' });
  await page.getByRole('link', { name: 'Send the first event' }).click();
  await run(page, 'Paid');
  await page.goto('/');
  await expect.poll(() => page.locator('main').innerText()).toContain('Latest events');
  await expect.poll(() => page.getByRole('link', { name: 'Send the first event' }).count()).toBe(0);
});

describe('the laboratory', () => {
  it('runs every experiment with money and wrong input by its button, each to its right end', async () => {
    const page = await open();
    for (const title of quick) {
      const ended = await run(page, title);
      expect([title, await ended.getByRole('status').textContent()]).toEqual([
        title,
        expect.stringMatching(/^As expected after /),
      ]);
    }
    await expectAccessible(page);
    await expectTidyLayout(page);
  });

  it('shows the runs again after a reload, in dark and on the narrowest phone', async () => {
    const page = await open({ theme: 'dark', width: 320, height: 640 });
    await expect.poll(() => page.getByText('As expected', { exact: true }).count()).toBe(quick.length);
    await expectAccessible(page);
    await expectTidyLayout(page);
  });

  it('opens the order of a run', async () => {
    const page = await open();
    const paid = await run(page, 'Paid');
    const link = paid.getByRole('link', { name: /^lab-paid-/ });
    const id = await link.innerText();
    await link.click();
    await page.waitForURL(`**/console/orders/${id}`);
    await expect.poll(() => page.locator('main').innerText()).toContain(id);
  });

  it('shows what is broken until when, refuses what would disturb, and goes on without a page', async () => {
    const page = await open();
    const stopped = card(page, 'Stop the consumer');
    await stopped.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/^It ends by itself, in \d+ s at the latest\.$/).waitFor();
    const burst = card(page, 'Burst of 500');
    const refusal = '"Stop the consumer" is running, and would disturb this experiment; wait for its end.';
    await burst.getByText(refusal).waitFor();
    await expect.poll(() => burst.getByRole('button').getAttribute('aria-disabled')).toBe('true');
    await burst.getByRole('button').press('Enter');
    await expectAccessible(page);
    await page.close();

    const again = await open();
    const ended = card(again, 'Stop the consumer');
    await ended.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 });
    await expect
      .poll(() => ended.innerText())
      .toContain('10 of 10 webhooks got 2xx; 10 of these are recorded.');
    await expect.poll(() => again.getByText('It ends by itself').count()).toBe(0);
    expect(await card(again, 'Burst of 500').getByRole('status').count()).toBe(0);
  });

  it('counts a burst up to what is recorded', async () => {
    const page = await open();
    const burst = await run(page, 'Burst of 500');
    for (const name of ['sent', 'acknowledged', 'recorded'])
      await expect
        .poll(() => burst.getByRole('progressbar', { name: `${name} of 500` }).getAttribute('value'))
        .toBe('500');
    await expect.poll(() => burst.getByRole('status').textContent()).toMatch(/^As expected after /);
  });

  it('keeps the focus on the button that was pressed, and shows the refusal of a second start', async () => {
    const page = await open({ expected: /409/ });
    await page.route('**/console/api/laboratory/paid', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: '{"title":"Conflict","status":409,"detail":"\\"Paid\\" is running; wait for its end."}',
      }),
    );
    const button = card(page, 'Paid').getByRole('button');
    await button.press('Enter');
    await card(page, 'Paid').getByRole('alert').getByText('"Paid" is running; wait for its end.').waitFor();
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
