import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '..', '..');
export const { version, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));

/** How tests have npm install packages. */
export const npmFlags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

/** What a merchant installs until it is published, in the folder that `pack` wrote to. */
export const tarballsIn = (folder: string) =>
  ['payhooks', 'payhooks-local'].map((name) => join(folder, `${name}-${version}.tgz`));

export const pack = (folder: string, ...flags: readonly string[]) =>
  promisify(execFile)('npm', ['run', '--silent', 'pack', '--', '--into', folder, ...flags], { cwd: root });
