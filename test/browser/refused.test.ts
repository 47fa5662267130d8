import { expect, it } from 'vitest';
import type { RefusedDocument } from '../../operator/documents.ts';
import { expectAccessible } from './accessible.ts';
import { expectTidyLayout } from './layout.ts';
import { openSuite } from './open-suite.ts';
import { whenLoaded } from './pages.ts';

const { open } = await openSuite();

const at = '2026-11-28T14:00:00.000Z';
const seen = { count: 812_344, first_at: at, last_at: '2026-11-28T15:59:59.000Z' };
const flood: RefusedDocument = {
  ...{ since: at, until: at, is_cut: true, count: 812_344 },
  groups: ['mismatch', 'firewall:AWSManagedRulesAmazonIpReputationList'].map((reason) => ({
    ...{ ...seen, reason, status: 403, meaning: 'The signature matches no key of this stack.' },
    judgement:
      'Probably forged, or a test such as payhooks smoke. None of its 512 addresses sent any before.',
    command: 'npx payhooks reconcile --stack payhooks-production',
    addresses: ['203.0.113.7', '2001:db8:85a3:8d3:1319:8a2e:370:7348', null].map((address) => ({
      ...{ ...seen, address, accepted: false, bytes: '314-262144' },
    })),
    more_addresses: 509,
  })),
};

it('shows the refused requests of a flood, and that nothing was refused in a time that is chosen', async () => {
  const page = await open('/', { width: 390, theme: 'dark' });
  await page.route('**/console/api/refused?*', (route) =>
    route.fulfill({
      json: route.request().url().endsWith('=168') ? { ...flood, count: 0, groups: [] } : flood,
    }),
  );
  await page.goto('/console/refused');
  await whenLoaded(page);
  const text = await page.locator('main').innerText();
  for (const part of [
    '812,344 refused requests',
    'newest 10,000',
    'Probably forged',
    '203.0.113.7',
    'addresses: 509',
  ])
    expect(text).toContain(part);
  for (const [width, colorScheme] of [
    [390, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await expectTidyLayout(page);
    await expectAccessible(page);
  }
  await page.getByLabel('Time').selectOption('Last 7 days');
  await page.getByText('No request was refused').waitFor();
});
