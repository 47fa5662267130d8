import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it, onTestFinished } from 'vitest';
import { leanBundleOptions } from '../../../lib/lean-bundle.ts';
import { installedPackages, sources, synthesiseStack } from '../../../local/pipeline/synthesis.ts';

const repository = join(import.meta.dirname, '../../..');

async function templateOf(directory: string): Promise<string> {
  const [name = ''] = (await readdir(directory)).filter((one) => one.endsWith('.template.json'));
  return readFile(join(directory, name), 'utf8');
}

it('a stack that was kept calls the payment service of its own start', async () => {
  const keptIn = await mkdtemp(join(tmpdir(), 'payhooks-test-'));
  onTestFinished(() => rm(keptIn, { recursive: true }));
  const start = async (port: number) => {
    const serviceBaseUrl = `http://127.0.0.1:${port}`;
    const stack = await synthesiseStack({
      serviceBaseUrl,
      authentication: 'private-key',
      settings: {},
      keptIn,
    });
    onTestFinished(stack.remove);
    return { isKept: stack.isKept, template: await templateOf(stack.directory) };
  };
  const first = await start(4001);
  expect(first.isKept).toBe(false);
  expect(first.template).toContain('"PAYMENT_SERVICE_BASE_URL": "http://127.0.0.1:4001"');
  const second = await start(4002);
  expect(second.isKept).toBe(true);
  expect(second.template).toBe(first.template.replaceAll(':4001"', ':4002"'));
  // The address that was synthesised is nowhere, not even inside another text.
  expect(second.template).not.toMatch(/127\.0\.0\.1:1\b/);
});

it('every file that the stack and its bundles are made of decides whether a kept one fits', async () => {
  const lambdas = join(repository, 'lambdas');
  const stages = (await readdir(lambdas, { recursive: true })).filter((file) =>
    /^[\w-]+\/handler\.ts$/.test(file),
  );
  const inputsOf = async (files: readonly string[], options: object): Promise<string[]> => {
    const { metafile } = await build({
      ...{ entryPoints: files.map((file) => join(repository, file)), bundle: true, write: false },
      ...{ absWorkingDir: repository, outdir: 'out', conditions: ['payhooks-source'], ...options },
      metafile: true,
    });
    return Object.keys(metafile.inputs);
  };
  const app = inputsOf(['bin/app.ts'], { platform: 'node', format: 'esm', packages: 'external' });
  const handlers = stages.map((stage) => `lambdas/${stage}`);
  const inputs = (await Promise.all([app, inputsOf(handlers, leanBundleOptions)])).flat();
  const hashed = [...sources, ...(await installedPackages())];
  const isHashed = (input: string) => hashed.some((one) => input === one || input.startsWith(`${one}/`));
  expect(inputs.length).toBeGreaterThan(100);
  expect(inputs.filter((input) => !isHashed(input))).toEqual([]);
});
