import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { conflictingPayments, paymentAndLostRefund } from './act-dialog.ts';
import { knownOrders } from './known-orders.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite();

const textOf = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ');
const rowWith = (text: string): string => `:is(.table-row, li):has-text("${text}")`;

it('an order has the same amount in the list of orders, on its own page and in the waiting room', async () => {
  const page = await open('/console/orders', { height: 4_000 });
  for (const [id, amount] of [
    [knownOrders.partlyRefunded, '80.00 USD, 30.00 returned'],
    [knownOrders.doubleCharge, '2 × 100.00 USD'],
    [knownOrders.failedThenPaid, '100.00 USD'],
    [knownOrders.refundWithoutPayment, '100.00 USD returned'],
  ] as const)
    await expect.poll(() => textOf(page, `.table-row:has(bdi:text-is("${id}")) .cell >> nth=2`)).toBe(amount);
  await page.goto('/console/waiting');
  await expect.poll(() => textOf(page, rowWith(knownOrders.doubleCharge))).toContain('2 × 100.00 USD');
  await page.goto(`/console/orders/${knownOrders.failedThenPaid}`);
  await expect.poll(() => textOf(page, '.items > li:has-text("txn-failed")')).not.toContain('100.00');
});

it('an event is called by its money on its own page, and has one and the same acts wherever it waits', async () => {
  const dismisses = 'Dismiss payment of 54.00 USD for order-same';
  await local.send(...conflictingPayments('same'), ...paymentAndLostRefund('same'));
  const acts = (page: Page) =>
    page
      .getByRole('button', { name: /(Apply|Dismiss) .*order-same/ })
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')));
  const page = await open('/console/waiting');
  await expect
    .poll(() => textOf(page, rowWith('evt-same')))
    .toContain('the same id has a payment of 45.00 USD');
  // Another event may have the same amount.
  const described = await page.getByRole('button', { name: dismisses }).getAttribute('aria-describedby');
  expect(await page.locator(`[id="${described}"]`).innerText()).toContain('evt-same');
  for (const path of ['/console/waiting', '/console/events/evt-same', '/console/orders/order-same']) {
    await page.goto(path);
    await expect.poll(() => acts(page)).toEqual([dismisses]);
  }
  await page.goto('/console/events/evt-refund-same');
  await expect.poll(() => textOf(page, 'h1')).toContain('Refund of 100.00 USD');
  await expect.poll(() => page.title()).toBe('Refund of 100.00 USD · payhooks');
});

it('an amount of 26 digits is shown whole, and moves nothing on any page or screen', async () => {
  const amount = '12345678901234567890123456.78';
  const one = { orderId: 'order-long', transactionId: 'txn-long', eventId: 'evt-long', amount };
  await local.send({ body: bytesOf(paidEvent(one)) });
  await local.send({ body: bytesOf(refundedEvent({ ...one, eventId: 'evt-long-refund' })) });
  const page = await open('/console/orders');
  for (const path of ['orders', 'orders/order-long', 'events/evt-long', 'transactions/txn-long', 'events'])
    for (const width of [390, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/console/${path}`);
      const shown = page.getByText(amount).first();
      await shown.waitFor();
      await expectTidyLayout(page);
      const cut = await shown.evaluate((element) => {
        const { left, right } = element.getBoundingClientRect();
        return element.scrollWidth > element.clientWidth + 1 || left < 0 || right > innerWidth;
      });
      expect([path, width, cut]).toEqual([path, width, false]);
    }
  // Other rows stay in line, also with what was returned.
  await page.goto('/console/orders');
  await page.getByText(amount).first().waitFor();
  const places = await page
    .locator('.table-row', { hasNotText: amount })
    .evaluateAll((rows) => rows.map((row) => row.children[2]?.getBoundingClientRect().right));
  expect([places.length > 5, new Set(places).size]).toEqual([true, 1]);
});
