import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unsealedMessage } from '../doubles/sqs-event.ts';
import { conflictingPayments, openDialog, paymentAndLostRefund, textOf } from './act-dialog.ts';
import { hostileTexts } from './hostile.ts';
import { expectTidyLayout } from './layout.ts';
import { lookInto } from './local-console.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite({ content: 'nothing' });

const room = '/console/waiting';
const doubleCharge = (orderId: string) =>
  ['first', 'second'].map((seed) => ({
    body: bytesOf(paidEvent({ orderId, transactionId: `txn-${seed}-${orderId}`, seed, amount: '45.00' })),
  }));

describe('admit', () => {
  it('gives a refund the order that the operator names, after showing what that does to the money', async () => {
    await local.send(...paymentAndLostRefund('admit'));
    const page = await open(room);
    const dialog = await openDialog(page, 'Apply refund of 100.00 USD', 'evt-refund-admit');
    const button = dialog.getByRole('button', { name: /^Apply/ });
    await expect
      .poll(async () => [await button.isDisabled(), await textOf(dialog)])
      .toEqual([true, expect.stringContaining('Enter the order first.')]);
    await dialog.getByLabel('Order').fill('order-admit');
    await dialog.getByText('Refund without payment').waitFor();
    await expect
      .poll(() => textOf(dialog))
      .toContain(
        'If you apply the refund of 100.00 USD, its transaction joins the order, with everything else that',
      );
    expect(await textOf(dialog)).toContain('refund of 100.00 USD; its payment is unknown');
    const applies = 'Apply refund of 100.00 USD to order-admit';
    await page.getByRole('dialog', { name: applies, exact: true }).waitFor();
    await dialog.getByLabel('Reason').fill('order confirmed by phone');
    await dialog.getByRole('button', { name: applies, exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    await expect.poll(() => textOf(dialog)).toContain('Applied refund of 100.00 USD to order-admit.');
    await expect.poll(() => textOf(dialog)).toContain('“order confirmed by phone”');

    const { records, acts } = await local.operations.event('evt-refund-admit');
    expect(records).toMatchObject([{ outcome: 'applied', waiting: null, order_id: 'order-admit' }]);
    expect(acts).toMatchObject([{ act: 'admit', reason: 'order confirmed by phone' }]);
    expect((await local.order('order-admit'))['attention']).toEqual(['refund_without_payment']);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('evt-refund-admit').waitFor({ state: 'detached' });
  });
});

describe('dismiss', () => {
  it('names what stays, and shows its result where what waited goes away', async () => {
    await local.send(...conflictingPayments('gone'));
    const page = await open('/console/events/evt-gone');
    const dismisses = 'Dismiss payment of 54.00 USD for order-gone';
    const dialog = await openDialog(page, dismisses);
    await expect
      .poll(() => textOf(dialog))
      .toContain(
        'If you dismiss the payment of 54.00 USD, it no longer waits, and the orders stay as they are',
      );
    await dialog.getByLabel('Reason').fill('a test');
    await dialog.getByRole('button', { name: dismisses, exact: true }).click();
    await dialog.getByText('Dismissed payment of 54.00 USD.').waitFor();
    await dialog.getByText('No order changes.').waitFor();
    const { records, acts } = await local.operations.event('evt-gone');
    expect(records.map(({ waiting }) => waiting)).toEqual([null, null]);
    expect(acts).toMatchObject([{ act: 'dismiss', reason: 'a test' }]);
    await page.getByRole('button', { name: dismisses }).waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    const lead = page.locator('.page-lead');
    await expect.poll(() => lead.innerText()).toMatch(/has the same event id\. Nothing waits\.$/);
  });

  it('shows a body that is no event, and takes it off the list by its hash', async () => {
    await local.send({ body: Buffer.from('no event at all') });
    const page = await open(`${room}?kind=unrecognised`);
    await page.getByRole('button', { name: 'Show the bytes' }).click();
    await page.getByRole('button', { name: 'Show customer data' }).click();
    await page.getByText('no event at all').waitFor();
    const dialog = await openDialog(page, 'Dismiss body 6857a7444720…');
    await dialog.getByLabel('Reason').fill('a ping');
    await dialog.getByRole('button', { name: /^Dismiss/ }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await textOf(dialog)).toMatch(/“a ping” Close$/);
    expect((await local.operations.waiting({ kind: 'unrecognised' })).events).toEqual([]);
  });
});

describe('resolve', () => {
  it('ends an attention of the order as the operator sees it, and moves no money', async () => {
    await local.send(...doubleCharge('order-resolve'));
    const page = await open(room);
    const dialog = await openDialog(page, 'Resolve Possible double charge of order-resolve');
    await dialog.getByText('No money moves.').waitFor();
    await expect.poll(async () => (await textOf(dialog)).match(/: payment of 45\.00 USD/g)).toHaveLength(2);
    await dialog.getByLabel('Reason').fill('one was returned, case 3');
    await dialog.getByRole('button', { name: /^Resolve/ }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect((await local.order('order-resolve'))['attention']).toEqual([]);
    const { json } = await local.get('/orders/order-resolve/events');
    expect(json['acts']).toMatchObject([
      { act: 'resolve', attention: 'multiple_paid_transactions', reason: 'one was returned, case 3' },
    ]);
  });
});

describe('the reason of an act', () => {
  it('is text in the history of its order and of its event, even if it looks like an element', async () => {
    const { image: reason } = hostileTexts;
    await local.send(...doubleCharge('order-two-charges'), ...conflictingPayments('reason'));
    await local.operations.resolve({ order_id: 'order-two-charges', sequence: 2, reason });
    await local.operations.dismiss({ event_id: 'evt-reason', reason });
    const page = await open('/', { width: 320 });
    for (const path of ['/console/orders/order-two-charges', '/console/events/evt-reason']) {
      await page.goto(path);
      await page.getByText(reason).first().waitFor();
      expect(await page.locator('[onerror]').count()).toBe(0);
      await expectTidyLayout(page);
    }
  });
});

describe('replay', () => {
  it('brings an order back whose row was lost, from the stored body of its event', async () => {
    await local.send({
      body: bytesOf(paidEvent({ orderId: 'order-lost', eventId: 'evt-lost', amount: '7.00' })),
    });
    const { dynamodb, outputs, close } = await lookInto(local.baseUrl);
    onTestFinished(close);
    const Key = { order_key: { S: 'live:order:order-lost' } };
    await dynamodb.send(new DeleteItemCommand({ TableName: outputs['OrdersTableName'], Key }));
    const page = await open('/console/events/evt-lost');
    const dialog = await openDialog(page, 'Replay payment of 7.00 USD');
    await dialog.getByText('1 event would be replayed; orders that change: 1.').waitFor();
    await expect.poll(() => textOf(dialog)).toMatch(/order-lost \+ status: Paid/);
    await dialog.getByLabel('Reason').fill('the row was lost');
    await dialog.getByRole('button', { name: 'Replay payment of 7.00 USD', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await local.order('order-lost')).toMatchObject({ status: 'paid' });
    const { acts } = await local.operations.event('evt-lost');
    expect(acts).toMatchObject([{ act: 'replay', reason: 'the row was lost' }]);
  });

  it('has nothing to do for an order that is up to date', async () => {
    await local.send({ body: bytesOf(paidEvent({ orderId: 'order-current' })) });
    const page = await open('/console/orders/order-current');
    const dialog = await openDialog(page, 'Replay the events of order-current');
    await dialog.getByText('Everything is up to date.').waitFor();
    await dialog.getByLabel('Reason').fill('to be sure');
    const button = dialog.getByRole('button', { name: 'Replay the events of order-current' });
    await expect
      .poll(async () => [await button.isDisabled(), await textOf(dialog)])
      .toEqual([true, expect.stringContaining('There is nothing to do.')]);
  });
});

it('the waiting room shows the dead letters, and the command that moves them back', async () => {
  await bury(bytesOf(paidEvent({ orderId: 'order-dead', eventId: 'evt-dead', amount: '3.00' })));
  const page = await open(room);
  await page.getByText('Could not be recorded (1)').waitFor();
  await page.getByText('evt-dead').waitFor();
  await page.getByText(`npx payhooks dlq redrive --local ${local.baseUrl}`).waitFor();
});

/** Puts a message into the dead-letter queue. */
async function bury(body: Uint8Array): Promise<void> {
  const { sqs, outputs, close } = await lookInto(local.baseUrl);
  const QueueUrl = outputs['DeadLetterQueueUrl'];
  await sqs.send(new SendMessageCommand({ QueueUrl, ...unsealedMessage(body) }));
  close();
}
