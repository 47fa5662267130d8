import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isOnPage } from '../../local/scenarios/scenario.ts';
import { scenarios } from '../../local/scenarios/scenarios.ts';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';

const { open } = await openSuite({ content: 'nothing' });

const path = '/console/laboratory';

const card = (page: Page, title: string): Locator => page.getByRole('article', { name: title, exact: true });

/** Presses the button of a scenario; resolves with its run once that has ended. */
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

const quick = scenarios.filter(isOnPage).filter(({ page }) => page.group !== 'faults');

// The tests run in this order over one local mode, which is empty at first.
it('an empty console leads to the laboratory, until there is an event', async () => {
  const page = await open();
  await page.getByRole('link', { name: 'Send the first event' }).click();
  await run(page, 'An order is paid');
  await page.goto('/');
  await expect.poll(() => page.locator('main').innerText()).toContain('Latest events');
  await expect.poll(() => page.getByRole('link', { name: 'Send the first event' }).count()).toBe(0);
});

describe('the laboratory', () => {
  it('runs every scenario with money and wrong input by its button, each to its right end', async () => {
    const page = await open(path);
    for (const { title } of quick) {
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
    const page = await open(path, { theme: 'dark', width: 320, height: 640 });
    await expect.poll(() => page.getByText('As expected', { exact: true }).count()).toBe(quick.length);
    await expectAccessible(page);
    await expectTidyLayout(page);
  });

  it('refuses what would disturb, and goes on without a page', async () => {
    const page = await open(path);
    await card(page, 'The consumer receives nothing').getByRole('button', { name: 'Run' }).click();
    const database = card(page, 'Every write to DynamoDB fails');
    const refusal =
      '"The consumer receives nothing" is running, and would disturb this scenario; wait for its end.';
    await database.getByText(refusal).waitFor();
    await expect.poll(() => database.getByRole('button').getAttribute('aria-disabled')).toBe('true');
    await database.getByRole('button').press('Enter');
    await expectAccessible(page);
    await page.close();

    const again = await open(path);
    const ended = card(again, 'The consumer receives nothing');
    await ended.getByRole('button', { name: 'Run again' }).waitFor({ timeout: 60_000 });
    await expect.poll(() => ended.getByRole('status').textContent()).toMatch(/^As expected after /);
    expect(await card(again, 'Every write to DynamoDB fails').getByRole('status').count()).toBe(0);
  });

  it('keeps the focus on the button that was pressed, and shows the refusal of a second start', async () => {
    const page = await open(path, { expected: /409/ });
    await page.route('**/console/api/laboratory/paid', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: '{"title":"Conflict","status":409,"detail":"\\"An order is paid\\" is running; wait for its end."}',
      }),
    );
    const button = card(page, 'An order is paid').getByRole('button');
    await button.press('Enter');
    await card(page, 'An order is paid')
      .getByRole('alert')
      .getByText('"An order is paid" is running; wait for its end.')
      .waitFor();
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
