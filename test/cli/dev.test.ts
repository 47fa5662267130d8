import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { spawnPayhooks, temporaryDirectory } from './payhooks-process.ts';

const program = `export async function runLocalMode(given) {
  console.log(JSON.stringify(given));
  return 1;
}`;

it('payhooks dev runs the local mode that the project has installed, with its flags and exit code', async () => {
  const project = await temporaryDirectory();
  const local = join(project, 'node_modules', '@payhooks', 'local');
  await mkdir(local, { recursive: true });
  await writeFile(join(local, 'package.json'), '{"type":"module","exports":{".":"./local.js"}}');
  await writeFile(join(local, 'local.js'), program);
  const argv = ['--no-demo', '--private-key', 'pri_x', '--help'];
  const { code, stdout } = await spawnPayhooks(['dev', ...argv], { cwd: project });
  expect([code, JSON.parse(stdout)]).toEqual([1, { argv, command: 'payhooks dev', project }]);
});

it('payhooks help dev shows the flags of local mode', async () => {
  const { code, stdout } = await spawnPayhooks(['help', 'dev']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: payhooks dev \[options\].*--data-dir.*\n {2}payhooks dev --oauth/s);
});
