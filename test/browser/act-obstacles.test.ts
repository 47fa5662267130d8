import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { conflictingPayments, countActs, openDialog, paymentAndLostRefund, textOf } from './act-dialog.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite({ content: 'nothing' });

const room = '/console/waiting';
/** What the browser reports where a test breaks a connection, or the API refuses an act. */
const broken = /ERR_FAILED|ERR_CONNECTION|status of (403|409|500)/;
const [planned, confirmed] = ['**/console/api/acts/plan', '**/console/api/acts/confirm'];

const dismisses = (name: string): string => `Dismiss payment of 54.00 USD for order-${name}`;
const refund = 'Apply refund of 100.00 USD';

/** The dialog that dismisses a conflict of its own, with a reason. */
async function openDismissal(name: string, prepare: (page: Page) => Promise<unknown> = async () => {}) {
  await local.send(...conflictingPayments(name));
  const page = await open(room, { expected: broken });
  await prepare(page);
  const dialog = await openDialog(page, dismisses(name));
  await dialog.getByLabel('Reason').fill('a test');
  return { page, dialog, confirm: dialog.getByRole('button', { name: new RegExp(`${dismisses(name)}$`) }) };
}

const actsOn = async (id: string) => (await local.operations.event(id)).acts;

describe('the dialog of an act', () => {
  it('sends one act for a double click', async () => {
    const { page, dialog, confirm } = await openDismissal('double-click');
    const acts = countActs(page);
    await dialog.getByText('No order changes.').waitFor();
    await confirm.dblclick();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect([acts(), (await actsOn('evt-double-click')).length]).toEqual([1, 1]);
  });

  it('requires a reason that can be stored', async () => {
    const { dialog, confirm } = await openDismissal('reason');
    await dialog.getByText('No order changes.').waitFor();
    await expect.poll(() => confirm.isDisabled()).toBe(false);
    await dialog.getByLabel('Reason').fill('   ');
    await expect
      .poll(async () => [await confirm.isDisabled(), await textOf(dialog)])
      .toEqual([true, expect.stringContaining('Enter a reason to continue.')]);
    await dialog.getByLabel('Reason').fill('x'.repeat(513));
    await expect.poll(() => textOf(dialog)).toContain('The reason has 513 bytes; at most 512 are stored.');
  });

  it('does nothing when the operator presses Enter or Escape, and gives the focus back', async () => {
    const { page, dialog } = await openDismissal('keyboard');
    const acts = countActs(page);
    await dialog.getByText('No order changes.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe(dismisses('keyboard'));
    expect([acts(), await actsOn('evt-keyboard')]).toEqual([0, []]);
  });

  it('does not act when another operator was faster, and names that one and the reason', async () => {
    const { page, dialog, confirm } = await openDismissal('faster');
    const acts = countActs(page);
    await dialog.getByText('No order changes.').waitFor();
    await local.operations.dismiss({ event_id: 'evt-faster', reason: 'judged by another one' });
    await confirm.click();
    await dialog.getByText('Something else changed meanwhile').waitFor();
    await dialog.getByText('evt-faster does not wait.').waitFor();
    await expect.poll(async () => [await confirm.isDisabled(), acts()]).toEqual([true, 1]);
    expect(await actsOn('evt-faster')).toMatchObject([{ reason: 'judged by another one' }]);
  });

  it('shows the new effect and acts on a second confirmation when a fact came between', async () => {
    await local.send(...paymentAndLostRefund('between'));
    const page = await open(room);
    const dialog = await openDialog(page, refund, 'evt-refund-between');
    await dialog.getByLabel('Order').fill('order-between-new');
    await dialog.getByText('order-between-new is a new order').waitFor();
    await dialog.getByLabel('Reason').fill('a test');
    await local.send(...conflictingPayments('between-new').slice(0, 1));
    const confirm = dialog.getByRole('button', { name: `${refund} to order-between-new` });
    await confirm.click();
    await dialog.getByText('Nothing was done yet. Read again what it would change now.').waitFor();
    expect(await actsOn('evt-refund-between')).toEqual([]);
    await expect.poll(() => textOf(dialog)).not.toContain('is a new order');
    await confirm.click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await actsOn('evt-refund-between')).toMatchObject([{ act: 'admit', reason: 'a test' }]);
  });

  it('gives the order that was shown, and takes no other one while the act is under way', async () => {
    await local.send(...paymentAndLostRefund('shown'));
    const requested = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const page = await open(room);
    await page.route(confirmed, async (route) => {
      requested.resolve();
      await held.promise;
      await route.continue();
    });
    const dialog = await openDialog(page, refund, 'evt-refund-shown');
    await dialog.getByLabel('Order').fill('order-shown');
    await dialog.getByLabel('Reason').fill('a test');
    await dialog.getByText('Refund without payment').waitFor();
    await dialog.getByRole('button', { name: `${refund} to order-shown` }).click();
    await requested.promise;
    await expect.poll(() => dialog.getByLabel('Order').isDisabled()).toBe(true);
    held.resolve();
    await dialog.getByText('Applied refund of 100.00 USD to order-shown.').waitFor();
    const { records } = await local.operations.event('evt-refund-shown');
    expect(records).toMatchObject([{ order_id: 'order-shown' }]);
  });

  it('repeats an act whose response was lost, and reports that it was done once', async () => {
    let lost = 0;
    const { dialog, confirm } = await openDismissal('lost', (page) =>
      page.route(confirmed, async (route) => {
        if (lost > 0) return route.continue();
        lost += 1;
        await route.fetch();
        return route.abort();
      }),
    );
    await dialog.getByText('No order changes.').waitFor();
    await confirm.click();
    await dialog.getByText('No response: the act may have been done').waitFor();
    await dialog.getByRole('button', { name: `Repeat: ${dismisses('lost')}` }).click();
    await dialog
      .getByText('The first request had done it, and the repetition changed nothing more.')
      .waitFor();
    expect(await actsOn('evt-lost')).toMatchObject([{ act: 'dismiss', reason: 'a test' }]);
  });

  it.each([
    ['failed', { status: 500, json: { detail: 'A part was done.' } }],
    ['foreign', { status: 200, body: 'Another server' }],
  ])('does not say that nothing was done after a %s response', async (name, first) => {
    const requests: { is_repetition: boolean }[] = [];
    const { dialog, confirm } = await openDismissal(name, (page) =>
      page.route(confirmed, (route) => {
        requests.push(route.request().postDataJSON());
        if (requests.length === 1) return route.fulfill(first);
        const plan = { sentence: 'The rest.', is_needed: true, by: 'a/kim', effect: 'e', context: [] };
        const changed = { step: 'changed', plan: { ...plan, mode: 'live', events: [], orders: [] } };
        return route.fulfill({ json: changed });
      }),
    );
    await dialog.getByText('No order changes.').waitFor();
    await confirm.click();
    await dialog.getByText('An error: the act may have been done').waitFor();
    await dialog.getByRole('button', { name: 'Leave' }).waitFor();
    await dialog.getByRole('button', { name: `Repeat: ${dismisses(name)}` }).click();
    await dialog.getByText('The first request may have done a part of it').waitFor();
    expect(await textOf(dialog)).not.toContain('Nothing was done yet');
    expect(requests.map((request) => request.is_repetition)).toEqual([false, true]);
  });

  it('waits for what a consumer may be working on, shows why, and goes on by itself', async () => {
    const { dialog } = await openDismissal('busy', (page) =>
      page.route(
        planned,
        (route) =>
          route.fulfill({ status: 409, json: { detail: 'Waiting 1 s: busy.', retry_after_seconds: 1 } }),
        { times: 1 },
      ),
    );
    await dialog.getByText('Waiting 1 s: busy. It goes on by itself.').waitFor();
    await dialog.getByText('No order changes.').waitFor();
  });

  it('shows early that the act is not allowed, and the other acts work', async () => {
    const { page, dialog, confirm } = await openDismissal('forbidden', (one) =>
      one.route(
        planned,
        (route) => route.fulfill({ status: 403, json: { detail: 'It needs execute-api:Invoke on …' } }),
        { times: 1 },
      ),
    );
    await dialog.getByText('Not allowed').waitFor();
    await dialog.getByText('It needs execute-api:Invoke on …').waitFor();
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const other = await openDialog(page, dismisses('forbidden'));
    await other.getByText('If you dismiss the payment of 54.00 USD, it no longer waits').waitFor();
  });

  it.each(['light', 'dark'] as const)('is accessible and tidy on a phone, in the %s theme', async (theme) => {
    await local.send(...paymentAndLostRefund(`long-${'x'.repeat(60)}-${theme}`));
    const page = await open(`${room}?kind=unassigned`, { theme, width: 320 });
    await page.getByRole('button', { name: refund }).last().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Order').fill(`order-${'y'.repeat(80)}`);
    await dialog.getByText('Refund without payment').waitFor();
    await expectTidyLayout(page);
    await expectAccessible(page);
  });
});
