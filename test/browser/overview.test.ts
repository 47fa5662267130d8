import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { AlarmList, ConsoleStatus } from '../../console/contract.ts';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';

const { local, open } = await openSuite({ content: 'demo' });

const textOf = async (page: Page, selector = 'main'): Promise<string> =>
  (await page.locator(selector).first().innerText()).replace(/\s+/g, ' ');
const shows = (page: Page, text: string | RegExp) => expect.poll(() => textOf(page)).toMatch(text);

/** Loads a page again with another response of the console's API. */
async function reloadWith(page: Page, path: string, status: number, body: unknown): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: body }));
  await page.reload();
}
const denied = { title: 'Forbidden', status: 403, detail: 'You lack cloudwatch:GetMetricData.' };
const quiet: ConsoleStatus = {
  alarms: { count: 48, without_data: [], deleted: [] },
  firing: [],
  queues: { events: 0, oldest_event_seconds: null, dead_letters: 0, feed_failures: 0 },
  waiting: [],
  ...{ last_event_at: null, last_heartbeat_at: null, heartbeat_late: false, unknown: [], quiet: true },
};

describe('a first visit', () => {
  it('leads from the demo to its double charge, by the list of orders', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Orders', exact: true }).click();
    await page.getByRole('table').getByText('Possible double charge').first().waitFor();
    await page.getByRole('link', { name: /^order-1006-/ }).click();
    await expect.poll(() => textOf(page, 'h1')).toContain('double charge');
  });
});

describe('the overview', () => {
  it('begins with what needs a person, and has the command for each alarm that is on', async () => {
    const page = await open();
    // What waits is counted every three minutes.
    await expect
      .poll(() => textOf(page, '.page-lead'), { timeout: 600_000 })
      .toMatch(
        /^4 orders need attention\. \d+ alarms? (is|are) on\. A person is needed today: .+ Now: \d+ waiting.*\.$/,
      );
    await shows(page, `npx payhooks events list --waiting --local ${local.baseUrl}`);
    const copy = page.getByRole('button', { name: 'Copy the next command for DecisionsWaiting' });
    await expect.poll(() => copy.count()).toBe(1);
    // Orders come before alarms.
    await shows(page, /Orders that need attention .* Possible double charge .* Alarms that are on/);
    await page.getByRole('link', { name: 'DecisionsWaiting', exact: true }).click();
    await shows(page, 'Meaning. Events that payhooks could not apply');
  });

  it('leads to the orders that need attention, by kind, and to what waits, as the navigation does', async () => {
    const page = await open();
    const lead = async (name: string | RegExp, path: string) => {
      await page.getByRole('link', { name }).click();
      await expect.poll(() => page.url()).toBe(`${local.baseUrl}${path}`);
    };
    await lead(/^Show 1 live order: Possible double/, '/console/orders?attention=multiple_paid_transactions');
    await shows(page, '1 order; 1 of them needs attention.');
    await lead(/^4 orders need attention: .*1 possible double charge/, '/console/orders?attention=any');
    await shows(page, '4 orders; 4 of them need attention.');
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await lead('Decide 1 live item: Conflict', '/console/waiting?kind=conflict');
  });

  it('draws four charts, has their numbers in words, and counts a webhook without a reload', async () => {
    const page = await open();
    await expect.poll(() => page.locator('.chart svg').count()).toBe(4);
    await shows(page, /Arriving 19 in the last hour, at most \d+ a minute at \d\d:\d\d/);
    await shows(page, /Refused 1 in the last hour, 1 wrong signature/);
    await local.send({ body: Buffer.from('{"id":"evt-overview","event_name":"transaction.paid"}') });
    await shows(page, /Arriving 20 in the last hour/);
    await shows(page, 'Latest events');
  });

  it('shows what the operator may not read in its place, and the rest', async () => {
    const page = await open('/', { expected: /403/ });
    await reloadWith(page, '/console/api/series', 403, denied);
    await shows(page, 'Not allowed You lack cloudwatch:GetMetricData.');
    await shows(page, 'Alarms that are on');
    const unknown = [{ part: 'alarms', message: 'You lack cloudwatch:DescribeAlarms.', not_allowed: true }];
    await reloadWith(page, '/console/api/status', 200, { ...quiet, alarms: null, firing: null, unknown });
    await shows(page, 'The alarms could not be read. Nothing waits; the queues are empty.');
    await shows(page, 'alarms: You lack cloudwatch:DescribeAlarms.');
  });
});

describe('the alarms', () => {
  it('are listed with those that are on first', async () => {
    const page = await open('/console/alarms');
    await expect
      .poll(() => textOf(page, '.page-lead'))
      .toMatch(/^\d+ alarms: \d+ on, \d+ off\. Begin with \w+\.$/);
    await expect.poll(() => page.locator('.section h2').allInnerTexts()).toEqual(['On', 'Off']);
    // On a slow machine, an alarm about errors or delay may be on besides those of the demo.
    await page.getByText(/^Show \d+ quiet alarms$/).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'EventsDelayed' }).count()).toBe(0);
    const on = page.locator('.items').first().getByRole('listitem');
    await expect.poll(() => on.count()).toBeGreaterThanOrEqual(1);
    await page.getByText(/^Show \d+ quiet alarms$/).click();
    await page.getByRole('link', { name: 'EventsDelayed' }).waitFor();
    await expectAccessible(page);
    await expectTidyLayout(page);
  });

  it('are shown honestly where CloudWatch has no data or no alarm, or may not be read', async () => {
    const page = await open('/console/alarms', { expected: /403/ });
    const alarm = { severity: 'now', since: null, meaning: '' } as const;
    const list: AlarmList = {
      alarms: [
        { ...alarm, alarm: 'EventsDelayed', state: 'INSUFFICIENT_DATA' },
        { ...alarm, alarm: 'FeedDelayed', state: 'deleted' },
      ],
    };
    await reloadWith(page, '/console/api/alarms', 200, list);
    await shows(page, '2 alarms: 1 deleted by hand, 1 without data.');
    await shows(page, /Deleted by hand .* FeedDelayed .* Without data .* EventsDelayed/);
    await reloadWith(page, '/console/api/alarms', 403, denied);
    await shows(page, 'Alarms Not known. Not allowed');
  });

  it('have their part of the runbook in place, with complete commands and links to each other', async () => {
    const page = await open('/console/alarms/WaitingKindsAdded', { theme: 'dark', width: 320 });
    await shows(page, 'Meaning. While DecisionsWaiting was on');
    await expectAccessible(page);
    await expectTidyLayout(page);
    await page.getByRole('link', { name: 'DecisionsWaiting' }).click();
    await shows(page, new RegExp(`npx payhooks events list --waiting .*--local ${local.baseUrl}`));
    await page.getByRole('link', { name: 'Show what waits' }).click();
    await expect.poll(() => page.url()).toMatch(/\/console\/waiting$/);
  });
});
