import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { synthesise } from '../src/assembly.ts';
import { temporaryDirectory } from './harness.ts';

/** Writes what it was made of, and counts how often it runs; `extra` is code of the app. */
const app = (extra = '') => `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  ${extra}
  appendFileSync('runs.txt', 'x');
  const folder = process.env.CDK_OUTDIR + '/asset.1';
  mkdirSync(folder);
  writeFileSync(folder + '/index.js', readFileSync('lib/code.js'));
  writeFileSync(process.env.CDK_OUTDIR + '/context.json', process.env.CDK_CONTEXT_JSON);
`;

async function createProject(extra?: string) {
  const project = await temporaryDirectory();
  const keep = {
    directory: join(project, 'kept'),
    sources: ['lib', 'app.mjs', 'package-lock.json'],
    packages: ['node_modules/a', 'node_modules/not-installed'],
  };
  await mkdir(join(project, 'lib'));
  await writeFile(join(project, 'cdk.json'), '{}');
  await writeFile(join(project, 'app.mjs'), app(extra));
  await writeFile(join(project, 'lib', 'code.js'), 'first');
  return {
    project,
    kept: keep.directory,
    runs: async () => (await readFile(join(project, 'runs.txt'), 'utf8')).length,
    /** The bundle and the context of one synthesis. */
    async synthesise(context: Record<string, string> = {}) {
      const { directory, remove } = await synthesise({ project, app: 'app.mjs', context, keep });
      const code = await readFile(join(directory, 'asset.1', 'index.js'), 'utf8');
      const given = JSON.parse(await readFile(join(directory, 'context.json'), 'utf8'));
      await remove();
      return { code, setting: given.setting };
    },
  };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a second synthesis', () => {
  it('does not run the app when sources and settings are the same', async () => {
    const { runs, synthesise } = await createProject();
    const first = await synthesise({ setting: 'a' });
    expect(await synthesise({ setting: 'a' })).toEqual(first);
    expect(await runs()).toBe(1);
  });

  it('has the new bundle when a source has changed or was added', async () => {
    const { project, runs, synthesise } = await createProject();
    await synthesise();
    await writeFile(join(project, 'lib', 'code.js'), 'second');
    expect((await synthesise()).code).toBe('second');
    await writeFile(join(project, 'package-lock.json'), '{}');
    await synthesise();
    expect(await runs()).toBe(3);
  });

  it('runs the app when a file of an installed package was edited, added or given another time', async () => {
    const { project, runs, synthesise } = await createProject();
    const folder = join(project, 'node_modules', 'a', 'dist');
    const file = join(folder, 'index.js');
    await mkdir(folder, { recursive: true });
    const changes = [
      () => writeFile(file, 'first'),
      () => writeFile(file, 'another'),
      () => writeFile(join(folder, 'other.js'), ''),
      () => utimes(file, 1, 1),
    ];
    for (const change of changes) {
      await change();
      await synthesise();
    }
    await synthesise();
    expect(await runs()).toBe(4);
  });

  it.each([
    ['does not run the app', 'AWS_SESSION_TOKEN', 1],
    ['runs the app', 'CDK_DEFAULT_ACCOUNT', 2],
  ])('%s when only %s has changed', async (_, variable, expected) => {
    const { runs, synthesise } = await createProject();
    for (const value of ['first', 'second']) {
      vi.stubEnv(variable, value);
      await synthesise();
    }
    expect(await runs()).toBe(expected);
  });

  it('has the new settings when they have changed, also those of cdk.json', async () => {
    const { project, synthesise } = await createProject();
    expect((await synthesise({ setting: 'a' })).setting).toBe('a');
    expect((await synthesise({ setting: 'b' })).setting).toBe('b');
    await writeFile(join(project, 'cdk.json'), '{"context":{"setting":"c"}}');
    expect((await synthesise()).setting).toBe('c');
  });
});

describe('a kept assembly', () => {
  it('is not made of a source that changed while the app ran', async () => {
    const change =
      "if (readFileSync('lib/code.js', 'utf8') === 'first') setTimeout(() => writeFileSync('lib/code.js', 'second'));";
    const { kept, synthesise } = await createProject(change);
    expect((await synthesise()).code).toBe('first');
    await expect(readdir(kept)).rejects.toThrow('ENOENT');
    expect((await synthesise()).code).toBe('second');
  });

  it('is no condition for a synthesis: a folder that cannot be written to only costs time', async () => {
    const { project, runs, synthesise } = await createProject();
    await writeFile(join(project, 'kept'), 'a file');
    expect((await synthesise()).code).toBe('first');
    expect((await synthesise()).code).toBe('first');
    expect(await runs()).toBe(2);
  });
});
