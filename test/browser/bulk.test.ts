import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { textOf } from './act-dialog.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite({ content: 'nothing', restarts: true });

const room = '/console/waiting?mode=sandbox&kind=quarantined';
const confirmed = '**/console/api/acts/confirm';
/** Payments that wait, because they are live and under the key of the sandbox. */
const payments = (...names: readonly string[]) =>
  names.map((name) => ({
    body: bytesOf(
      paidEvent({ orderId: `order-${name}`, eventId: `evt-${name}`, amount: '12.50', seed: name }),
    ),
    key: 'sandbox' as const,
  }));
const statusOf = async (name: string) =>
  (await local.get(`/orders/order-${name}?mode=sandbox`)).json['status'];
/** The dialog of an act on events that are chosen one by one. */
async function choose(page: Page, ...names: readonly string[]) {
  for (const name of names) await page.getByRole('checkbox', { name: `Choose evt-${name}` }).check();
  await page.getByRole('button', { name: /^Apply \d+ events/ }).click();
  return page.getByRole('dialog');
}

it('several events are chosen, shown with their orders and sums, and admitted for one reason', async () => {
  await local.send(...payments('one', 'two', 'three', 'four'));
  const page = await open(room, { width: 390, theme: 'dark' });
  const dialog = await choose(page, 'one', 'two', 'three');
  await expect
    .poll(() => textOf(dialog))
    .toMatch(/3 events; orders that change: 3\. 3 payments: 37\.50 USD .*order-one \+ status: Paid/);
  await expectAccessible(page);
  await expectTidyLayout(page);
  await dialog.getByLabel('Reason').fill('the flag was wrong');
  await dialog.getByRole('button', { name: 'Apply 3 events' }).click();
  await dialog.getByText('Applied 3.').waitFor();
  expect([await statusOf('one'), await statusOf('three')]).toEqual(['paid', 'paid']);
  const { acts } = await local.operations.event('evt-two', { mode: 'sandbox' });
  expect(acts).toMatchObject([{ act: 'admit', reason: 'the flag was wrong' }]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByText('evt-one').waitFor({ state: 'detached' });
  expect(await statusOf('four')).not.toBe('paid');
});

it('an act on all events of a kind that loses its server goes on after a restart, and does nothing twice', async () => {
  await local.send(...payments('a', 'b', 'c', 'd', 'e', 'f'));
  const lost = /ERR_CONNECTION|ERR_SOCKET|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|ERR_FAILED|status of 50/;
  const page = await open(room, { expected: lost });
  let responses = 0;
  await page.route(confirmed, async (route) => {
    responses += 1;
    if (responses !== 3) return route.continue();
    // It was done, and its response is lost.
    await route.fetch();
    await local.stop('SIGKILL');
    return route.abort();
  });
  await page.getByRole('checkbox', { name: /^All \d+ events/ }).check();
  await page.getByRole('button', { name: /^Apply \d+ events/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/\d payments: /).waitFor();
  await dialog.getByLabel('Reason').fill('the flag was wrong');
  await dialog.getByRole('button', { name: /^Apply \d+ events$/ }).click();
  await dialog.getByText('No response: the act may have been done').waitFor();
  await local.start();
  await dialog.getByRole('button', { name: /^Repeat: Apply \d+ events$/ }).click();
  await dialog.getByText(/^Applied \d\. Done already: \d\.$/).waitFor();
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    expect(await statusOf(name)).toBe('paid');
    expect((await local.operations.event(`evt-${name}`, { mode: 'sandbox' })).acts).toHaveLength(1);
  }
});
