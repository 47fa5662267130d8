import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '@payhooks/payment-service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { order } from '../scene.ts';

const run = promisify(execFile);
const packageFolder = join(import.meta.dirname, '..', '..');
const root = join(packageFolder, '..', '..');
const page = { text: JSON.stringify({ orders: [order], next_cursor: null }) };
const documents = ['openapi.json', 'operations.openapi.json', 'order-status-changed.schema.json'];
let project: string;
let tarball: string;

/** Packed with the command of the README, and installed into an empty project. */
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'order-client-'));
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8');
  const [command = '', ...packArguments] = /^npm run pack .*$/m.exec(readme)?.[0].split(' ') ?? [];
  await run(command, [...packArguments, '--into', project], { cwd: root });
  tarball = join(project, 'payhooks-order-client-0.3.0.tgz');
  await writeFile(join(project, 'package.json'), '{}');
  await install(tarball);
});
afterAll(() => rm(project, { recursive: true, force: true }));

const install = (name: string) =>
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts', name], {
    cwd: project,
  });

const codeBlock = async (file: string, language: string): Promise<string> => {
  const text = await readFile(file, 'utf8');
  return text.match(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms'))?.[1] ?? '';
};

describe('the installed package', () => {
  it('takes less than 20 MB: code, README and OpenAPI documents, no Node binary, CDK or bundler', async () => {
    const folder = join(project, 'node_modules');
    const files = await readdir(folder, { recursive: true });
    const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(20_000_000);
    const unwanted = /^(node-linux|aws-cdk|esbuild|@esbuild|ky$|typescript)/;
    expect((await readdir(folder)).filter((name) => unwanted.test(name))).toEqual([]);
    expect(await readdir(join(folder, '@payhooks'))).toEqual(['order-client']);
    const installed = await readdir(join(folder, '@payhooks', 'order-client'));
    expect(installed.toSorted()).toEqual(['README.md', 'dist', 'package.json']);
    const dist = await readdir(join(folder, '@payhooks', 'order-client', 'dist'));
    expect(dist.toSorted()).toEqual(['cjs', 'esm', ...documents]);
    const { resolve } = createRequire(join(project, 'package.json'));
    for (const name of [...documents, 'package.json']) {
      JSON.parse(await readFile(resolve(`@payhooks/order-client/${name}`), 'utf8'));
    }
  });

  it('has types that resolve for import and for require', async () => {
    // moduleResolution node10 knows no `exports`; the JSON documents have no types.
    const { stdout } = await run(join(root, 'node_modules', '.bin', 'attw'), [
      tarball,
      ...['--exclude-entrypoints', ...documents],
    ]).catch((error) => error);
    expect(stdout).toContain('No problems found');
  });

  it('has types that a TypeScript project can build on, such as the example of the README', async () => {
    const system = `
      import { createOrderClient, type Order, OrderNotFoundError } from '@payhooks/order-client';
      const client = createOrderClient({ baseUrl: 'http://127.0.0.1:4800', credentials: false });
      export const isKnown = (id: string): Promise<boolean> =>
        client.order(id).then(() => true, (error) => !(error instanceof OrderNotFoundError));
      // @ts-expect-error There is no such status.
      export const wrong = (order: Order): boolean => order.status === 'Paid';
      // @ts-expect-error There is no such mode.
      void client.order('order-1', { mode: 'test' });
    `;
    const guide = await codeBlock(join(packageFolder, 'README.md'), 'ts');
    expect(guide).toContain('client.changes');
    const settings = { strict: true, module: 'nodenext', target: 'es2022', types: ['node'], noEmit: true };
    const typeRoots = [join(root, 'node_modules', '@types')];
    const configuration = { compilerOptions: { ...settings, typeRoots }, files: ['system.mts', 'guide.mts'] };
    await writeFile(join(project, 'system.mts'), system);
    await writeFile(join(project, 'guide.mts'), guide);
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify(configuration));
    const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [tsc], { cwd: project }).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('signs with the default credentials of the AWS SDK', async () => {
    const { baseUrl, received: requests } = await startService(() => page);
    const script = `
      const { createOrderClient } = require('@payhooks/order-client');
      createOrderClient({ baseUrl: process.env.ORDER_QUERY_URL }).orders();
    `;
    const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };
    const env = { ...credentials, AWS_REGION: 'us-east-1', ORDER_QUERY_URL: baseUrl };
    await run(process.execPath, ['-e', script], { cwd: project, env });
    expect(requests[0]?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/);
  });
});

describe('the example of the README', () => {
  const platform = `${process.platform}-${process.arch}`;

  /** The path of such a Node, or why there is none. The registry has Nodes for Linux. */
  async function findNode(version: string): Promise<{ path: string } | { missing: string }> {
    if (process.version === `v${version}`) return { path: process.execPath };
    try {
      await install(`node-${platform}@${version}`);
      return { path: join(project, 'node_modules', `node-${platform}`, 'bin', 'node') };
    } catch {
      return { missing: `not tried: the registry has no node-${platform}@${version}` };
    }
  }

  it.for(['20.8.0', '22.23.3', '24.21.0'])(
    'runs with import and require on Node %s',
    async (version, { skip }) => {
      const node = await findNode(version);
      if ('missing' in node) return skip(node.missing);
      expect((await run(node.path, ['--version'])).stdout).toBe(`v${version}\n`);
      const { baseUrl, received: requests } = await startService(() => page);
      const env = { ORDER_QUERY_URL: baseUrl };
      const example = await codeBlock(join(packageFolder, 'README.md'), 'js');
      const [importLine = '', ...lines] = example.split('\n');
      const required = importLine.replace(/^import (.*) from (.*);$/, 'const $1 = require($2);');
      const body = lines.join('\n');
      await writeFile(join(project, 'example.mjs'), example);
      await writeFile(join(project, 'example.cjs'), `${required}\n(async () => {${body}})();`);
      for (const file of ['example.mjs', 'example.cjs']) {
        const { stdout, stderr } = await run(node.path, [file], { cwd: project, env });
        expect([stdout, stderr]).toEqual(['order-1001 refunded []\n', '']);
      }
      expect(requests.map(({ url }) => url)).toEqual(['/orders', '/orders']);
    },
  );
});
