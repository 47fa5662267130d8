import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { privateKey } from '../local/pipeline/running-pipeline.ts';
import { expectAccessible } from './accessible.ts';
import { knownEvents, knownOrders } from './known-orders.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite();

const leadOf = (page: Page): Promise<string> => page.locator('.page-lead').innerText();

it('shows the payload masked, and customer data on request', async () => {
  const page = await open(`/console/events/${knownEvents.paid}`);
  await expect.poll(() => leadOf(page)).toBe(`It counts in ${knownOrders.paid}. Nothing waits.`);
  const payload = page.getByRole('region', { name: 'the payload' });
  await expect.poll(() => payload.innerText()).toContain(`"order_id": "${knownOrders.paid}"`);
  expect(await payload.innerText()).not.toContain('Nobody Real');
  // Nor in the base64 of a command that nobody has opened.
  expect(await page.content()).not.toContain('base64 --decode');
  await page.getByRole('button', { name: 'Show customer data' }).click();
  await expect.poll(() => payload.innerText()).toContain('Nobody Real');
  await page.getByRole('button', { name: 'Mask customer data' }).click();
  await expect.poll(() => payload.innerText()).not.toContain('Nobody Real');
});

it('gives a curl command whose bytes and signature are those that were received', async () => {
  const page = await open(`/console/events/${knownEvents.paid}`);
  await page.getByText('Copy as curl').click();
  const shown = page.getByRole('region', { name: 'the curl command' });
  await expect.poll(() => shown.innerText()).toContain(`${local.baseUrl}/webhooks/payments`);
  const command = await shown.innerText();
  const [, base64 = ''] = /<<< ([\w+/=]+) /.exec(command) ?? [];
  const [, signature] = /x-service-signature: ([0-9a-f]{64})/.exec(command) ?? [];
  const body = Buffer.from(base64, 'base64');
  expect(JSON.parse(body.toString()).id).toBe(knownEvents.paid);
  expect(signature).toBe(createHmac('sha256', privateKey).update(body).digest('hex'));
  await page.getByText('Explain the signature').click();
  await page.getByText('The payment service computed HMAC-SHA256 over the bytes of the body').waitFor();
  await expectAccessible(page);
});

it('looks up an id as it stands in an address that is not well encoded', async () => {
  const page = await open('/console/orders/100%', { expected: /404/ });
  await page.getByText('No order with this id in live mode').waitFor();
  await expect.poll(() => page.locator('h1').innerText()).toContain('100%');
});
