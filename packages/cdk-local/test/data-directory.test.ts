import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DataDirectoryError, openDataDirectory } from '../src/data-directory.ts';
import { temporaryDirectory } from './harness.ts';

const source = JSON.stringify(new URL('../src/data-directory.ts', import.meta.url).href);

describe('a data directory', () => {
  it('is created with the folders above it, for its owner only', async () => {
    const path = join(await temporaryDirectory(), 'deep', 'er');
    const first = await openDataDirectory(path);
    first.release();
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });

  it('is refused while another process uses it, and free as soon as that process is killed', async () => {
    const base = await temporaryDirectory();
    const program = `import { openDataDirectory } from ${source};
      globalThis.held = await openDataDirectory(process.argv[1]);
      console.log('held');
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, base]);
    await once(child.stdout, 'data');
    await expect(openDataDirectory(base)).rejects.toThrow(`is in use by the process ${child.pid}.`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    (await openDataDirectory(base)).release();
  });

  it('is refused when it is a file, or below one', async () => {
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    await expect(openDataDirectory(file)).rejects.toThrow(
      new DataDirectoryError(`The data directory ${file} cannot be used: it is a file, not a folder.`),
    );
    await expect(openDataDirectory(join(file, 'below'))).rejects.toThrow(
      `The data directory ${file}/below cannot be used: a part of the path is a file, not a folder.`,
    );
  });
});
