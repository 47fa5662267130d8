import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { AlarmList, PlanRequest } from '../../console/contract.ts';
import { openDialog } from '../browser/act-dialog.ts';
import { launchChromium } from '../browser/chromium.ts';
import { openPage } from '../browser/open-page.ts';
import { temporaryDirectory } from '../cli/payhooks-process.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { eventBody } from '../doubles/event-body.ts';
import { stackName } from './deployment.ts';
import type { Target } from './target.ts';

/** `payhooks console` in a browser, over a deployment in which nothing waits yet. */
export function proveConsole(target: () => Target): void {
  it('payhooks console shows what a deployed stack holds, and acts in a browser, not in its dry run', async () => {
    const { ministack, pipeline, outputs } = target();
    await pipeline.post(eventBody({ id: 'paid-1', order: 'order-1' }));
    await pipeline.post(eventBody({ id: 'odd-1', order: null, transaction: 'lonely' }));
    await pipeline.order('order-1');
    await pipeline.event('odd-1');
    const names = pathToFileURL(join(import.meta.dirname, 'loopback-names.mjs')).href;
    const console = await startConsoleProcess(['--stack', stackName, '--port', '0', '--no-browser'], {
      AWS_ENDPOINT_URL: ministack.endpoint,
      AWS_REGION: ministack.region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      NODE_EXTRA_CA_CERTS: ministack.certificate.certificateFile,
      NODE_OPTIONS: `--import ${names}`,
      XDG_CACHE_HOME: await temporaryDirectory(),
    });
    const json = async (path: string, init?: RequestInit) => (await console.request(path, init)).json();

    const document = await console.request('/console/orders/order-1');
    expect([document.status, await document.text()]).toEqual([200, expect.stringContaining('<script')]);
    expect(await json('/console/api/stack')).toMatchObject({
      ...{ name: stackName, kind: 'aws', account: '000000000000', region: ministack.region },
      ...{ webhook_url: outputs['WebhookUrl'], stack_option: `--stack ${stackName}` },
    });
    expect(await json('/orders/order-1')).toMatchObject({ order_id: 'order-1', status: 'paid' });
    expect(await json('/orders/none')).toMatchObject({ status: 404, waiting: [] });
    expect(await json('/operations/waiting?mode=live')).toMatchObject({
      events: [{ event_id: 'odd-1' }],
    });
    expect(await json('/console/api/status')).toMatchObject({ queues: { events: 0, dead_letters: 0 } });
    // MiniStack counts nothing for AWS itself.
    expect(await json('/console/api/series')).toMatchObject({
      accepted: Array.from({ length: 60 }, () => 0),
    });
    const { alarms } = (await json('/console/api/alarms')) as AlarmList;
    expect(alarms).toContainEqual(expect.objectContaining({ alarm: 'EventConflicts', severity: 'today' }));
    // `proveSmoke` deleted it.
    expect(alarms.filter(({ state }) => state === 'deleted')).toMatchObject([{ alarm: 'ConsumerErrors' }]);
    // MiniStack does not list the tasks that move messages.
    expect(await json('/console/api/dead-letters')).toMatchObject({ depth: 0, groups: [], redrive: null });

    const dismissal: PlanRequest = { act: { act: 'dismiss', event_id: 'odd-1' } };
    const plan = { method: 'POST', body: JSON.stringify(dismissal) };
    expect(await json('/console/api/acts/plan', plan)).toMatchObject({ is_needed: true });
    expect(await json('/operations/waiting?mode=live')).toMatchObject({ events: [{ event_id: 'odd-1' }] });

    const live = await console.request('/console/api/live');
    const { value } = (await live.body?.getReader().read()) ?? {};
    expect(Buffer.from(value ?? []).toString()).toMatch(/^event: hello\n/);

    const page = await openPage(await openBrowser(), { baseUrl: console.origin, path: console.link });
    await page.getByRole('link', { name: 'Waiting' }).first().click();
    const dialog = await openDialog(page, 'Dismiss odd-1');
    await dialog.getByLabel('Reason').fill('a test event');
    await dialog.getByRole('button', { name: 'Dismiss odd-1', exact: true }).click();
    await dialog.getByText('Dismissed odd-1.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.goto('/console/orders');
    await page.getByRole('link', { name: 'order-1' }).first().click();
    await page.locator('.timeline-entry').first().waitFor();
    expect(await page.locator('.page-lead').innerText()).toBe('Paid 100.00 USD. Nothing waits.');
    // An open page would report that the console has ended.
    await page.close();
    expect(await json('/operations/waiting?mode=live')).toMatchObject({ events: [] });
    expect((await console.end('SIGINT')).code).toBe(130);
  });
}

async function openBrowser() {
  const browser = await launchChromium();
  onTestFinished(() => browser.close());
  return browser;
}
