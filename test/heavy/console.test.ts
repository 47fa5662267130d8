import { type Browser, chromium } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../local/running-pipeline.ts';
import { startProcess } from './local-process.ts';

const offline = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function openBrowser(): Promise<Browser> {
  const browser = await chromium
    .launch({ executablePath: '/usr/bin/chromium', args: offline, chromiumSandbox: false })
    .catch((cause: unknown) => {
      const help = 'This suite opens the console in /usr/bin/chromium: install the Debian package chromium.';
      throw new Error(help, { cause });
    });
  onTestFinished(() => browser.close());
  return browser;
}

it('shows the results of the demo in Chromium, without an error in its console', async () => {
  const local = await startProcess('--port', '0');
  await eventually(
    async () => local.output(),
    (output) => output.includes('Open the console'),
  );
  const page = await (await openBrowser()).newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(local.baseUrl);
  const shown = async (): Promise<string> => (await page.locator('body').innerText()).replace(/\s+/g, ' ');
  const text = await eventually(shown, (one) => one.includes('unrecognised 1'));

  for (const count of ['refused 1', 'duplicate 1', 'quarantined 1', 'unrecognised 1'])
    expect(text).toContain(count);
  for (const order of ['1001', '1002', '1003', '1004', '1005', '1007'])
    expect(text).toContain(`order-${order}-`);

  await page
    .getByText(/^order-1005-/)
    .first()
    .click();
  expect(await eventually(shown, (one) => one.includes('double charge'))).toContain('curl');
  expect(complaints).toEqual([]);
  expect(await local.kill('SIGINT')).toBe(0);
});
