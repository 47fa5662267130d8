import { expect, it } from 'vitest';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';
import { whenLoaded } from './pages.ts';

const { browser, local } = await openSuite({ content: 'demo' });

it('leads from the demo to its double charge, by the list of orders', async () => {
  const page = await openPage(browser, local);
  await whenLoaded(page);
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('table').getByText('Possible double charge').first().waitFor();
  await page.getByRole('link', { name: /^order-1005-/ }).click();
  await expect.poll(() => page.locator('.page-lead').innerText()).toContain('double charge');
});

it('leads from the overview to the quarantined event of the demo', async () => {
  const page = await openPage(browser, local);
  await page.getByRole('link', { name: /Quarantined 1 item/ }).click();
  await page.getByRole('button', { name: /^Admit / }).waitFor();
  await expect.poll(() => page.locator('main').innerText()).toContain('does not match the signing key');
});
