import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RefusedDocument } from '../../operator/documents.ts';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';
import { whenLoaded } from './pages.ts';

const { open } = await openSuite();

const at = '2026-11-28T14:00:00.000Z';
const seen = { count: 812_344, first_at: at, last_at: '2026-11-28T15:59:59.000Z' };
const nothing: RefusedDocument = { since: at, until: at, is_cut: false, count: 0, groups: [] };
const flood: RefusedDocument = {
  ...{ ...nothing, is_cut: true, count: 812_344 },
  groups: ['mismatch', 'firewall:AWSManagedRulesAmazonIpReputationList'].map((reason) => ({
    ...{ ...seen, reason, status: 403, meaning: 'The signature matches no key of this stack.' },
    judgement:
      'Probably forged, or a test such as payhooks smoke. None of its 512 addresses sent any before.',
    command: 'npx payhooks reconcile --stack payhooks-production',
    addresses: ['203.0.113.7', '2001:db8:85a3:8d3:1319:8a2e:370:7348', null].map((address) => ({
      ...{ ...seen, address, accepted: false, bytes_min: 314, bytes_max: 262_144 },
    })),
    more_addresses: 509,
  })),
};

async function show(page: Page, body: RefusedDocument): Promise<void> {
  await page.route('**/console/api/refused?*', (route) => route.fulfill({ json: body }));
  await page.goto('/console/refused');
  await whenLoaded(page);
}

it.each([
  ['light', 390],
  ['dark', 1280],
  ['dark', 390],
] as const)(
  'the refused requests of a flood are readable and accessible: %s, %d px',
  async (theme, width) => {
    const page = await open('/', { theme, width });
    await show(page, flood);
    const text = await page.locator('main').innerText();
    for (const part of [
      '812,344 refused requests',
      'newest 10,000',
      'Probably forged',
      '203.0.113.7',
      '262144 bytes',
    ])
      expect(text).toContain(part);
    expect(text).toContain('And 509 more addresses.');
    await page.screenshot({ path: `/tmp/refused-${theme}-${width}.png`, fullPage: true });
    await expectTidyLayout(page);
    await expectAccessible(page);
  },
);

it('says that nothing was refused in the time that its reader has chosen', async () => {
  const page = await open('/');
  await show(page, nothing);
  await page.getByText('No request was refused').waitFor();
  const week = page.waitForRequest(/refused\?hours=168/);
  await page.getByLabel('Time').selectOption('Last 7 days');
  await week;
  expect(new URL(page.url()).searchParams.get('hours')).toBe('168');
});
