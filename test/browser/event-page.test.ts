import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { knownEvents, knownOrders } from './known-orders.ts';
import { openSuite } from './open-suite.ts';

const { open } = await openSuite();

const leadOf = (page: Page): Promise<string> => page.locator('.page-lead').innerText();

it('shows the payload masked, and customer data on request', async () => {
  const page = await open(`/console/events/${knownEvents.paid}`);
  await expect.poll(() => leadOf(page)).toBe(`Counted in ${knownOrders.paid}. Nothing waits.`);
  const payload = page.getByRole('region', { name: 'the payload' });
  await expect.poll(() => payload.innerText()).toContain(`"order_id": "${knownOrders.paid}"`);
  expect(await payload.innerText()).not.toContain('Nobody Real');
  await page.getByRole('button', { name: 'Show customer data' }).click();
  await expect.poll(() => payload.innerText()).toContain('Nobody Real');
  await page.getByRole('button', { name: 'Mask customer data' }).click();
  await expect.poll(() => payload.innerText()).not.toContain('Nobody Real');
});

it('looks up an id as it stands in an address that is not well encoded', async () => {
  const page = await open('/console/orders/100%', { expected: /404/ });
  await page.getByText('No order with this id in live mode').waitFor();
  await expect.poll(() => page.locator('h1').innerText()).toContain('100%');
});
