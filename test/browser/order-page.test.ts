import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { knownEvents, knownOrders, knownTransactions } from './known-orders.ts';
import { expectTidyLayout } from './layout.ts';
import type { PageOptions } from './open-page.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite();

const openOrder = (id: string, options: PageOptions = {}): Promise<Page> =>
  open(`/console/orders/${id}`, options);
const leadOf = (page: Page): Promise<string> => page.locator('.page-lead').innerText();
const entriesOf = (page: Page) => page.locator('.timeline-entry');

it.each([
  [knownOrders.paid, 'Payment of 100.00 USD. Nothing waits.'],
  [knownOrders.doubleCharge, '2 × payment of 100.00 USD.'],
  [
    knownOrders.conflict,
    'Payment of 54.00 USD. A different version of an event has 45.00 USD. 1 event waits for a person.',
  ],
])('the first line of %s says what happened to the money', async (id, sentence) => {
  const page = await openOrder(id);
  await expect.poll(() => leadOf(page)).toBe(sentence);
});

it('shows the state before and after each fact, and what the order feed published', async () => {
  const page = await openOrder(knownOrders.partlyRefunded);
  await expect.poll(() => entriesOf(page).count()).toBe(4);
  const refund = entriesOf(page).filter({ hasText: 'Refund of 30.00 USD' });
  await expect
    .poll(() => refund.locator('.timeline-change').innerText())
    .toMatch(/Paid[\s\S]*Partially refunded/);
  await page.getByText('Published to the order feed: Paid → Partially refunded').waitFor();
});

it.each([knownOrders.partlyRefunded, knownOrders.doubleCharge])(
  'the whole timeline of %s is on a screen of 1280 × 800 pixels',
  async (id) => {
    const page = await openOrder(id, { width: 1280, height: 800 });
    // Once for both events, where the feed read the order after the second.
    await page.getByText('Published to the order feed').first().waitFor();
    const box = await page.locator('.timeline').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
  },
);

it('an order of sixty transactions shows the newest part at first, and the rest on request', async () => {
  const payment = (n: number) =>
    paidEvent({ orderId: 'order-long', transactionId: `txn-${n}`, seed: `${n}` });
  const numbers = Array.from({ length: 60 }, (_, n) => n);
  await Promise.all(numbers.map((n) => local.post(bytesOf(payment(n)))));
  const page = await openOrder('order-long', { width: 390 });
  const more = page.getByRole('button', { name: 'Show 52 more transactions' });
  await more.waitFor();
  await expect.poll(() => leadOf(page)).toContain('60 × payment of 100.00 USD.');
  expect(await entriesOf(page).count()).toBe(20);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  expect(height).toBeLessThan(6_000);
  await more.click();
  await page.getByRole('button', { name: /^Show \d+ earlier entries$/ }).click();
  await expect.poll(() => entriesOf(page).count()).toBeGreaterThanOrEqual(60);
});

it('the title of a double charge names it, and its status is not green', async () => {
  const colour = (page: Page): Promise<string> =>
    page.locator('h1 .status-paid').evaluate((pill) => getComputedStyle(pill).color);
  const [doubtful, good] = [await openOrder(knownOrders.doubleCharge), await openOrder(knownOrders.paid)];
  await doubtful.locator('h1').getByText('Possible double charge').waitFor();
  expect(await colour(doubtful)).not.toBe(await colour(good));
});

it('explains a double charge with both payments and the next act, which ends it', async () => {
  const page = await openOrder(knownOrders.doubleCharge);
  const callout = page.locator('.callout').filter({ hasText: 'Possible double charge' });
  await expect.poll(() => callout.innerText()).toContain('Next: Look up both transactions');
  await expect.poll(() => callout.innerText()).toContain('txn-first-charge');
  await expect.poll(() => callout.innerText()).toContain('txn-second-charge');
  await expectAccessible(page);
  await callout.getByRole('button', { name: /^Resolve/ }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
});

it('compares the bodies of a conflict on request, with customer data masked until a second one', async () => {
  const page = await openOrder(knownOrders.conflict);
  const reads: string[] = [];
  page.on('request', (request) => void (request.url().includes('/bodies/') && reads.push(request.url())));
  const callout = page.locator('.callout').filter({ hasText: 'Conflicting event' });
  await callout.getByRole('button', { name: 'Compare bodies' }).waitFor();
  expect(reads).toEqual([]);
  await callout.getByRole('button', { name: 'Compare bodies' }).click();
  const lines = callout.locator('.diff-line:is(.added, .removed)');
  await expect.poll(() => lines.allInnerTexts()).toHaveLength(4);
  expect((await lines.allInnerTexts()).join()).toMatch(/"amount": "54\.00"[\s\S]*"amount": "45\.00"/);
  await callout.getByRole('button', { name: 'Show all lines' }).click();
  expect(await callout.innerText()).not.toContain('Nobody Real');
  await callout.getByRole('button', { name: 'Show customer data' }).click();
  await expect.poll(() => callout.innerText()).toContain('Nobody Real');
  const refreshed = page.waitForResponse((response) => response.url().includes('/orders/'));
  await local.send({ body: Buffer.from('something else changes') });
  await refreshed;
  expect(reads).toHaveLength(1);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 800 });
  await expectTidyLayout(page);
});

it('names the mode in which an order was not found, and leads to the other one', async () => {
  const page = await openOrder(knownOrders.sandbox, { expected: /404/ });
  await page.getByText('No order with this id in live mode').waitFor();
  await page.getByRole('link', { name: 'Look in sandbox mode' }).click();
  await expect.poll(() => leadOf(page)).toBe('Payment of 100.00 USD. Nothing waits.');
});

it('shows no status of an order that is gone after a restart', async () => {
  const page = await openOrder(knownOrders.doubleCharge, { expected: /404/ });
  await page.locator('h1').getByText('Possible double charge').waitFor();
  await page.route('**/orders/**', (route) =>
    route.fulfill({ status: 404, json: { title: 'Not found', status: 404, detail: 'There is no order.' } }),
  );
  await local.send({ body: Buffer.from('makes the page read again') });
  await page.getByText('Local mode forgets everything when it stops.').waitFor();
  await expect.poll(() => page.locator('h1').innerText()).not.toMatch(/Paid|double charge/);
});

it('shows an order that only a waiting event names', async () => {
  const page = await openOrder('order-quarantined?mode=sandbox', { expected: /404/ });
  await expect.poll(() => leadOf(page)).toContain('One event names this order and waits for a person');
  await page.getByRole('button', { name: /^Apply payment of .* to order-quarantined$/ }).waitFor();
  await page.locator('.callout').getByRole('link', { name: knownEvents.quarantined }).click();
  await expect.poll(() => page.url()).toContain(`/console/events/${knownEvents.quarantined}?mode=sandbox`);
});

it('the page of a transaction leads to its order, and names events that wait for one', async () => {
  const page = await open(`/console/transactions/${knownTransactions.withoutOrder}`);
  await expect.poll(() => leadOf(page)).toBe('No payment of it is known: 1 event waits for an order.');
  await page.goto('/console/transactions/txn-paid');
  await expect.poll(() => leadOf(page)).toContain(`in ${knownOrders.paid}`);
  await expectAccessible(page);
});

/** `npm run screenshots` draws the timeline that the README shows. */
const pictures = process.env['DRAW_SCREENSHOTS'];
if (pictures !== undefined) {
  it.each(['light', 'dark'] as const)('the timeline of the README is drawn: %s', async (theme) => {
    const orderId = 'order-1042';
    const charge = (seed: string) => ({ orderId, amount: '45.00', seed });
    const events = [
      paidEvent(charge('first')),
      paidEvent(charge('second')),
      refundedEvent(charge('second')),
    ] as const;
    const [first, ...later] = events;
    await local.send({ body: bytesOf(first) });
    const page = await openOrder(orderId, {
      theme,
      width: 1080,
      height: 1000,
      scale: 2,
      reducedMotion: true,
    });
    // The feed skips a state that has passed when it reads the order.
    const published = page.getByText('Published to the order feed');
    await expect.poll(() => published.count()).toBeGreaterThan(0);
    for (const [index, event] of later.entries()) {
      await local.send({ body: bytesOf(event) });
      await expect.poll(() => published.count()).toBeGreaterThan(index + 1);
    }
    // From the title of the order to the end of its timeline.
    const boxes = ['.content', '.top-bar', '.section:has(.timeline)'].map((one) =>
      page.locator(one).boundingBox(),
    );
    const [content, bar, timeline] = await Promise.all(boxes);
    if (!content || !bar || !timeline) throw new Error('The page of an order has no timeline.');
    const margin = content.x + content.width - timeline.x - timeline.width;
    const height = timeline.y + timeline.height + margin - bar.height;
    const clip = { x: content.x, y: bar.height, width: content.width, height };
    await page.screenshot({ path: `${pictures}/order-timeline-${theme}.png`, clip });
  });
}
