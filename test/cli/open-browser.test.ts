import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openBrowser } from '../../cli/console/open-browser.ts';
import { temporaryDirectory } from './payhooks-process.ts';

const link = 'http://127.0.0.1:4805/?key=a&b=$(id)';

/** A desktop whose program for links is this script; without one there is none. */
async function startDesktop(script?: (folder: string) => string): Promise<string> {
  const folder = await temporaryDirectory();
  vi.stubEnv('PATH', script ? `${folder}:/bin:/usr/bin` : folder);
  const text = script && `#!/bin/sh\n${script(folder)}\n`;
  for (const name of ['xdg-open', 'open'])
    if (text) await writeFile(join(folder, name), text, { mode: 0o755 });
  return join(folder, 'opened');
}

it('openBrowser gives the whole address to the program of the desktop, as one argument', async () => {
  const opened = await startDesktop((folder) => `cd ${folder}; printf '%s' "$*" >next && mv next opened`);
  expect(await openBrowser(link)).toBe(true);
  await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toBe(link);
});

it('openBrowser reports that there is no such program, or that it found no browser', async () => {
  await startDesktop();
  expect(await openBrowser(link)).toBe(false);
  await startDesktop(() => 'exit 3');
  expect(await openBrowser(link)).toBe(false);
});
