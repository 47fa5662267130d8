import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBrowser } from '../../cli/console/open-browser.ts';
import { temporaryDirectory } from './payhooks-process.ts';

const link = 'http://127.0.0.1:4805/?key=a&b=$(id)';

it('openBrowser gives the whole address to the program of the desktop, as one argument', async () => {
  const folder = await temporaryDirectory();
  const opened = join(folder, 'opened');
  for (const name of ['xdg-open', 'open']) {
    await writeFile(
      join(folder, name),
      `#!/bin/sh\nprintf '%s' "$*" >'${opened}.next' && mv '${opened}.next' '${opened}'\n`,
    );
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', `${folder}:/bin:/usr/bin`);
  expect(await openBrowser(link)).toBe(true);
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(link);
});

it('openBrowser reports that a machine has no such program', async () => {
  vi.stubEnv('PATH', await temporaryDirectory());
  expect(await openBrowser(link)).toBe(false);
});

it('openBrowser reports that a program found no browser, as on a host without a desktop', async () => {
  const folder = await temporaryDirectory();
  for (const name of ['xdg-open', 'open']) {
    await writeFile(join(folder, name), '#!/bin/sh\nexit 3\n', { mode: 0o755 });
  }
  vi.stubEnv('PATH', `${folder}:/bin:/usr/bin`);
  expect(await openBrowser(link)).toBe(false);
});
