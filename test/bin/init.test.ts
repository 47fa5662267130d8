import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { runPayhooks } from '../cli/payhooks-process.ts';

const root = join(import.meta.dirname, '../..');

/** The installed packages of the repository, and its own code as the package `payhooks`. */
async function install(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules');
  await mkdir(installed);
  for (const name of await readdir(join(root, 'node_modules'))) {
    // Its cache belongs to the repository.
    if (!['payhooks', '.cache'].includes(name))
      await symlink(join(root, 'node_modules', name), join(installed, name));
  }
  // Node runs no TypeScript below node_modules.
  const source = join(folder, '..', 'payhooks');
  await mkdir(source);
  await symlink(source, join(installed, 'payhooks'));
  await writeFile(join(source, 'package.json'), '{"type":"module","exports":"./index.ts"}');
  await writeFile(
    join(source, 'index.ts'),
    `export { Payhooks } from '${join(root, 'lib', 'payhooks.ts')}';\n`,
  );
}

it('npm test passes in a project of payhooks init, with every question answered', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'payhooks-init-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'shop');
  const { code, stderr } = await runPayhooks([
    ...[
      'init',
      folder,
      '--region',
      'eu-west-1',
      '--account',
      '111122223333',
      '--domain',
      'hooks.shop.example',
    ],
    ...['--certificate', 'arn:aws:acm:eu-west-1:111122223333:certificate/a-1', '--authentication', 'oauth'],
    ...['--service-url', 'https://pay.example', '--alarm-email', 'oncall@shop.example'],
  ]);
  expect([code, stderr]).toEqual([0, '']);
  await install(folder);
  const PATH = [dirname(process.execPath), process.env['PATH']].join(':');
  const env = { ...process.env, PATH, CDK_DISABLE_VERSION_CHECK: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' };
  const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: folder, env });
  expect(stdout).toMatch(/^. pass 2$/m);
  expect(stdout).toMatch(/^. fail 0$/m);
});
