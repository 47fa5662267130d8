import { bytesOf, paidEvent, refundedEvent } from '@payhooks/payment-service/simulator';
import type { Locator, Page } from 'playwright-core';
import { withoutOrder } from '../acceptance/odd-events.ts';
import type { Notification } from './known-orders.ts';

/** A payment of 100.00 USD, and its refund, which names no order and no transaction that is known. */
export const paymentAndLostRefund = (name: string): readonly Notification[] => [
  { body: bytesOf(paidEvent({ orderId: `order-${name}`, transactionId: `txn-${name}`, seed: name })) },
  {
    body: withoutOrder(
      refundedEvent({
        ...{ orderId: '', eventId: `evt-refund-${name}`, transactionId: `txn-lost-${name}` },
        seed: `refund ${name}`,
      }),
    ),
  },
];

/** Two payments under one event id and one order, of different amounts. */
export const conflictingPayments = (name: string): readonly Notification[] =>
  ['45.00', '54.00'].map((amount) => ({
    body: bytesOf(
      paidEvent({ orderId: `order-${name}`, eventId: `evt-${name}`, transactionId: `txn-${name}`, amount }),
    ),
  }));

/** Opens the dialog of a button of the page, or of its row with a text, and checks that they have one name. */
export async function openDialog(page: Page, button: string, row = ''): Promise<Locator> {
  const place = row === '' ? page : page.locator('li').filter({ hasText: row });
  await place.getByRole('button', { name: button, exact: true }).click();
  await page.getByRole('dialog', { name: button, exact: true }).waitFor();
  return page.getByRole('dialog');
}

/** The text of a dialog in one line. */
export const textOf = async (dialog: Locator): Promise<string> =>
  (await dialog.innerText()).replace(/\s+/g, ' ');

/** Counts the acts that a page confirms. */
export function countActs(page: Page): () => number {
  let acts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/console/api/acts/confirm')) acts += 1;
  });
  return () => acts;
}
