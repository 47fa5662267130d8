import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSuite } from './open-suite.ts';
import { notFound } from './pages.ts';

const { local, open } = await openSuite();

const rows = (page: Page) => page.locator('.table-row');
const pathOf = (page: Page): string => page.url().slice(local.baseUrl.length);
const scrolledBy = (page: Page): Promise<number> => page.evaluate(() => window.scrollY);

/** The list of events, too long for its window, 300 px below its top. */
async function scrolledEvents(): Promise<Page> {
  const page = await open('/console/events', { height: 500 });
  await rows(page).first().waitFor();
  await page.evaluate(() => window.scrollTo(0, 300));
  await expect.poll(() => scrolledBy(page)).toBe(300);
  return page;
}

describe('a list of the console', () => {
  it('shows what became of an event, by the time of its receipt', async () => {
    const page = await open('/console/events', { height: 5_000 });
    const row = rows(page).filter({ hasText: 'order-partly-refunded' }).first();
    const words = async () => (await row.innerText()).replace(/\s+/g, ' ');
    for (const part of ['transaction.refunded', '30.00', 'Applied']) await expect.poll(words).toContain(part);
    const times = await rows(page)
      .locator('time')
      .evaluateAll((all) => all.map((one) => one.getAttribute('datetime')));
    expect(times.length).toBeGreaterThan(10);
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('finds events by the beginning of an id, from the search box too', async () => {
    const page = await open('/console/events', { expected: notFound });
    const box = page.getByLabel('Begin of an event');
    await box.fill('order-partly');
    // A refresh of the list leaves what is being typed.
    await local.send({ body: bytesOf(paidEvent({ orderId: 'order-while-typing' })) });
    await rows(page).filter({ hasText: 'order-while-typing' }).first().waitFor();
    await box.press('Enter');
    await expect.poll(() => pathOf(page)).toBe('/console/events?prefix=order-partly');
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goto(`${local.baseUrl}/console/search?q=order-par`);
    await page.getByRole('link', { name: 'begins with it' }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  it('shows a whole order id on a phone, in the list and on its page', async () => {
    const orderId = '0d2f6a4e-5f0c-4c6e-9a55-0c1f6f2f7a11';
    await local.send({ body: bytesOf(paidEvent({ orderId, amount: '1234567.89' })) });
    const page = await open('/console/orders', { width: 390 });
    const isWhole = (place: string) =>
      page
        .locator(`${place} .id-text`, { hasText: orderId })
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    expect(await isWhole('.table-row')).toBe(true);
    await page.getByRole('link', { name: orderId }).click();
    expect(await isWhole('h1')).toBe(true);
  });

  it('keeps its filters in the address, and removes one by choosing any', async () => {
    const page = await open('/console/orders');
    await page.getByLabel('Status', { exact: true }).selectOption('refunded');
    await page.getByLabel('Attention', { exact: true }).selectOption('disputed');
    await expect.poll(() => pathOf(page)).toBe('/console/orders?status=refunded&attention=disputed');
    await page.reload();
    await page.getByText('No order matches these filters.').waitFor();
    await page.getByLabel('Attention', { exact: true }).selectOption('');
    await rows(page).filter({ hasText: 'order-refunded' }).waitFor();
    expect(pathOf(page)).toBe('/console/orders?status=refunded');
    for (const row of await rows(page).allInnerTexts()) expect(row).toContain('Refunded');
  });

  it('selects by the time of receipt, and says so', async () => {
    const path = '/console/events?until=2020-01-01T00:00:00Z';
    const page = await open(path);
    await page.getByText('No event matches these filters.').waitFor();
    expect(await page.getByLabel('Until').inputValue()).toBe('2020-01-01T00:00');
    await page.getByLabel('Time').selectOption('Last hour');
    await rows(page).first().waitFor();
    await page.getByText('The time selects events by their receipt; those in a queue are not').waitFor();
  });

  it('shows new events at its top, and keeps what the reader looks at in its place', async () => {
    const page = await scrolledEvents();
    const seen = rows(page).nth(9);
    const name = await seen.innerText();
    const before = await seen.boundingBox();
    await local.send({ body: bytesOf(paidEvent({ orderId: 'order-late', seed: 'late' })) });
    await rows(page).filter({ hasText: 'order-late' }).waitFor();
    await expect.poll(() => rows(page).nth(10).innerText()).toBe(name);
    // Rows above the window have an estimated height.
    const moved = async () => ((await rows(page).nth(10).boundingBox())?.y ?? 0) - (before?.y ?? 0);
    await expect.poll(async () => Math.abs(await moved())).toBeLessThan(5);
  });

  it('is where it was when the reader comes back to it', async () => {
    const page = await scrolledEvents();
    await rows(page).nth(10).locator('.row-link').click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => pathOf(page)).toMatch(/^\/console\/events\/./);
    await page.goBack();
    await rows(page).first().waitFor();
    await expect.poll(() => scrolledBy(page)).toBe(300);
  });
});
