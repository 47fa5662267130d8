import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { knownEvents, knownOrders, knownTransactions } from './known-orders.ts';

const order = (name: keyof typeof knownOrders): string => `/console/orders/${knownOrders[name]}`;

/** Every page of the console, by the known orders, and what an address may lead to that leads nowhere. */
export const pages: Readonly<Record<string, string>> = {
  overview: '/',
  events: '/console/events',
  'sandbox events': '/console/events?mode=sandbox',
  refused: '/console/refused',
  orders: '/console/orders',
  'filtered orders': '/console/orders?status=paid&since=2020-01-01T00:00:00Z',
  'orders that need attention': '/console/orders?attention=any',
  'search that finds nothing': '/console/search?q=none',
  order: order('paid'),
  'order with a double charge': order('doubleCharge'),
  'order with a conflict': order('conflict'),
  'unknown order': '/console/orders/none',
  event: `/console/events/${knownEvents.paid}`,
  'event with two bodies': `/console/events/${knownEvents.conflict}`,
  'quarantined event': `/console/events/${knownEvents.quarantined}?mode=sandbox`,
  transaction: `/console/transactions/${knownTransactions.paid}`,
  'transaction without an order': `/console/transactions/${knownTransactions.withoutOrder}`,
  'waiting room': '/console/waiting',
  approvals: '/console/approvals',
  alarms: '/console/alarms',
  alarm: '/console/alarms/DecisionsWaiting',
  laboratory: '/console/laboratory',
  'unknown page': '/console/nowhere',
};

/** What the browser reports as an error where the API has nothing under an id. */
export const notFound = /the server responded with a status of 404/;

/** Resolves when everything that the page asks for is there. */
export async function whenLoaded(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0);
}
