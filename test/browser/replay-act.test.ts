import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { bytesOf, paidEvent } from '@payhooks/payment-service/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDialog, textOf } from './act-dialog.ts';
import { lookInto } from './local-console.ts';
import { openPage } from './open-page.ts';
import { openSuite } from './open-suite.ts';

const { browser, local } = await openSuite({ content: 'nothing' });

describe('replay', () => {
  it('brings an order back whose row was lost, from the stored body of its event', async () => {
    await local.send({
      body: bytesOf(paidEvent({ orderId: 'order-lost', eventId: 'evt-lost', amount: '7.00' })),
    });
    const { dynamodb, outputs, close } = await lookInto(local.baseUrl);
    onTestFinished(close);
    const Key = { order_key: { S: 'live:order:order-lost' } };
    await dynamodb.send(new DeleteItemCommand({ TableName: outputs['OrdersTableName'], Key }));
    const page = await openPage(browser, { ...local, path: '/console/events/evt-lost' });
    const dialog = await openDialog(page, 'Replay evt-lost');
    await dialog.getByText('1 event would be replayed; orders that change: 1.').waitFor();
    await expect.poll(() => textOf(dialog)).toMatch(/order-lost \+ status: Paid/);
    await dialog.getByLabel('Reason').fill('the row was lost');
    await dialog.getByRole('button', { name: 'Replay evt-lost', exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).waitFor();
    expect(await local.order('order-lost')).toMatchObject({ status: 'paid' });
    const { acts } = await local.operations.event('evt-lost');
    expect(acts).toMatchObject([{ act: 'replay', reason: 'the row was lost' }]);
  });

  it('has nothing to do for an order that is up to date', async () => {
    await local.send({ body: bytesOf(paidEvent({ orderId: 'order-current' })) });
    const page = await openPage(browser, { ...local, path: '/console/orders/order-current' });
    const dialog = await openDialog(page, 'Replay the events of order-current');
    await dialog.getByText('Everything is up to date.').waitFor();
    await dialog.getByLabel('Reason').fill('to be sure');
    const button = dialog.getByRole('button', { name: 'Replay the events of order-current' });
    await expect
      .poll(async () => [await button.isDisabled(), await textOf(dialog)])
      .toEqual([true, expect.stringContaining('There is nothing to do.')]);
  });
});
