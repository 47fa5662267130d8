import { createServer } from 'node:http';
import { closeServer, listen } from '@payhooks/cdk-local/loopback';
import type { Page } from 'playwright-core';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { createConsoleServer } from '../../console/server/server.ts';
import { refund, sent } from '../doubles/event-body.ts';
import { ann, bob, operatorAfter } from '../doubles/operations.ts';
import { notFound, type Operations, respondToOperation } from '../doubles/operations-server.ts';
import { matched } from '../doubles/served-operations.ts';
import { expectAccessible } from './accessible.ts';
import { openDialog, textOf } from './act-dialog.ts';
import { launchChromium } from './chromium.ts';
import { openPage } from './open-page.ts';

const browser = await launchChromium();
afterAll(() => browser.close());

const outputs = { OrderQueryInvokeArn: 'arn:aws:execute-api:local:111122223333:api', WebhookUrl: '/webhook' };

/** The consoles of two people, over one stack on which an admission needs both; they see no orders there. */
async function start() {
  const operator = await operatorAfter([refund]);
  operator.approvals.add('admit');
  // A proposal expires, which the page judges by the clock of the machine.
  operator.clock.now = Date.now();
  const openAs = async (by: string, path: string): Promise<Page> => {
    const operations: Operations = async ({ route, query, body }) => {
      if (!route.includes('/operations/')) return notFound(route);
      const request = { ...matched(route), queryStringParameters: query, body: JSON.stringify(body) };
      const { status = 0, body: response } = await operator.send(request, { by });
      return { status, body: response };
    };
    const stack = async () => ({ name: 'shop', region: 'local', outputs, localUrl: baseUrl });
    const console = createConsoleServer({ stack, env: {}, log: undefined });
    const server = createServer((request, response) => {
      if (!console.handle(request, response)) void respondToOperation(request, response, operations);
    });
    const baseUrl = await listen(server, { host: '127.0.0.1', port: 0 });
    onTestFinished(() => closeServer(server));
    return openPage(browser, { baseUrl, path, expected: /status of (404|409|500|503)/ });
  };
  const approvals = () => operator.send({ routeKey: 'GET /operations/approvals' });
  return { ...operator, openAs, proposals: async () => (await approvals()).body.proposals };
}

const proposeAdmission = async (page: Page): Promise<void> => {
  const dialog = await openDialog(page, 'Apply refund of 40.00 USD');
  await dialog.getByLabel('Order').fill('A');
  await dialog.getByLabel('Reason').fill('order confirmed by phone');
  await dialog.getByRole('button', { name: 'Apply refund of 40.00 USD to A' }).click();
  await dialog.getByText(/^Proposed\. Nothing changes until another person approves/).waitFor();
  await dialog.getByRole('link', { name: 'Approvals' }).click();
};

it('one person proposes an act, and another one sees the money before and after, and approves it', async () => {
  const { openAs, tables } = await start();
  const ofAnn = await openAs(ann, '/console/waiting?kind=unassigned');
  await proposeAdmission(ofAnn);
  const own = await openDialog(ofAnn, 'Approve: Apply refund of 40.00 USD to A');
  await own.getByText(/another identity must approve it/).waitFor();

  const ofBob = await openAs(bob, '/console/approvals');
  await ofBob.getByRole('link', { name: /^Approvals/ }).waitFor();
  await ofBob.getByText('“order confirmed by phone”').waitFor();
  await ofBob.getByText(/attention: Refund without payment/).waitFor();
  await expectAccessible(ofBob);
  const dialog = await openDialog(ofBob, 'Approve: Apply refund of 40.00 USD to A');
  await expect.poll(() => textOf(dialog)).toMatch(/ann proposed it at .*: "order confirmed by phone"/);
  await dialog.getByLabel('Reason').fill('seen in the ledger');
  await dialog.getByRole('button', { name: /^Approve/ }).click();
  await dialog.getByText('Approved. Applied refund of 40.00 USD to A.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await ofBob.getByText('Nothing to approve').waitFor();
  expect([...tables.orders.values()][0]?.facts.join()).toContain('refunded');
});

it('an act that would do something else by now is shown again, cannot be approved, and is rejected', async () => {
  const { openAs, proposals, consume } = await start();
  await proposeAdmission(await openAs(ann, '/console/waiting?kind=unassigned'));
  await consume(sent({ id: 'p2', order: 'A', transaction: 'U' }));
  const page = await openAs(bob, '/console/approvals');
  const dialog = await openDialog(page, 'Approve: Apply refund of 40.00 USD to A');
  await dialog.getByText(/This is not what was proposed: something has changed since/).waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: /^Approve/ }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const rejection = await openDialog(page, 'Reject: Apply refund of 40.00 USD to A');
  await rejection.getByLabel('Reason').fill('the order has changed');
  await rejection.getByRole('button', { name: /^Reject/ }).click();
  await rejection.getByText('Rejected: it is not done.').waitFor();
  expect(await proposals()).toEqual([]);
});
