// `npm run pack`: builds every package that we would publish, and packs it into a tarball.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { OptionError, readFlags, runCommand } from '../command-line.ts';
import { packages } from './packages.ts';

const names = Object.keys(packages) as (keyof typeof packages)[];
const usage = `npm run pack [-- --only NAME] [--into FOLDER]

  --only NAME    ${names.join(', ')}; all by default
  --into FOLDER  for packages and tarballs, dist by default
`;

await runCommand(usage, async (args) => {
  const { only, into } = readFlags(args, {
    only: { type: 'string' },
    into: { type: 'string', default: 'dist' },
  });
  const chosen = names.filter((name) => only === undefined || name === only);
  if (chosen.length === 0) throw new OptionError(`--only is ${only}; expected ${names.join(', ')}.`);
  for (const name of chosen) await packInto(resolve(into), name);
  process.stdout.write('Nothing is published: that waits for a licence, which the owner has to choose.\n');
  return 0;
});

async function packInto(output: string, name: keyof typeof packages): Promise<void> {
  const folder = join(output, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const manifest = await packages[name](folder);
  // Last: npm packs no folder without it, such as that of a build that failed.
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  // Nothing is left for scripts to do.
  const flags = ['--json', '--ignore-scripts', '--pack-destination', output];
  const [tarball] = JSON.parse(execFileSync('npm', ['pack', folder, ...flags], { encoding: 'utf8' }));
  const { filename, size, unpackedSize, entryCount } = tarball;
  const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000).toLocaleString('en')} kB`;
  process.stdout.write(
    `${relative('', join(output, filename))}: ${kilobytes(size)}, ` +
      `${kilobytes(unpackedSize)} unpacked, ${entryCount} files\n`,
  );
}
