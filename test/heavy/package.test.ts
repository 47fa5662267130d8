import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloudFormation } from '../doubles/cloudformation.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const { version, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const tarball = `payhooks-${version}.tgz`;
const newest = `aws-cdk-lib@${dependencies['aws-cdk-lib']}`;
const oldest = 'aws-cdk-lib@2.239.0';

let scratch: string;
const project = (cdk: string) => join(scratch, cdk);
const installed = () => join(project(newest), 'node_modules', 'payhooks');
const nodes: Readonly<Record<string, () => string>> = {
  '20.8.0': () => join(project(newest), 'node_modules', 'node20', 'bin', 'node'),
  '22.23.3': () => join(project(newest), 'node_modules', 'node22', 'bin', 'node'),
  [process.versions.node]: () => process.execPath,
};

const pack = (folder: string) =>
  run('npm', ['run', '--silent', 'pack', '--', '--only', 'payhooks', '--into', folder], { cwd: root });

/** In an empty project, out of reach of the packages of this repository. */
async function install(cdk: string, ...packages: readonly string[]): Promise<void> {
  await mkdir(project(cdk));
  await writeFile(join(project(cdk), 'package.json'), '{}');
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', ['install', ...flags, join(scratch, tarball), cdk, ...packages], { cwd: project(cdk) });
}

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'payhooks-package-'));
  process.stdout.write((await pack(scratch)).stdout);
  const binary = `npm:node-${process.platform}-${process.arch}`;
  const binaries = [`node20@${binary}@20.8.0`, `node22@${binary}@22.23.3`];
  await install(newest, `constructs@${dependencies.constructs}`, ...binaries);
  await install(oldest, 'constructs@10.5.0');
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('the package payhooks', () => {
  const permitted = [
    /^(package\.json|README\.md|THIRD-PARTY-LICENCES\.txt|docs\/runbook\.md|bin\/payhooks\.cjs)$/,
    /^dist\/(index\.js|console-page\.json)$/,
    /^dist\/functions\/[a-z-]+\/index\.js$/,
    /^dist\/functions\/verifier\/(index\.mjs|bundle\.cjs)$/,
    /^dist\/types\/(lib|lambdas\/contract|lambdas\/domain)\/[a-z-]+\.d\.ts$/,
    /^dist\/cli\/[\w-]+\.mjs$/,
  ];

  it('takes at most 1.2 MB: bundles, declarations, documents and licences, and no source', async () => {
    expect((await stat(join(scratch, tarball))).size).toBeLessThanOrEqual(1_200_000);
    const entries = await readdir(installed(), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => relative(installed(), join(parentPath, name)));
    expect(paths.filter((path) => !permitted.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(permitted.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
    const licences = await readFile(join(installed(), 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    expect(licences).toMatch(/^valibot@.* \(MIT\)$/m);
    expect(licences).toMatch(/^preact@.* \(MIT\)$/m);
    expect(licences).toMatch(/^@aws-sdk\/client-sqs@.* \(Apache-2\.0\)$/m);
    expect(licences).not.toMatch(/^(esbuild|typescript|aws-cdk-lib)@/m);
  });

  it('has the same bytes when it is built again', async () => {
    const again = join(scratch, 'again');
    await pack(again);
    const [first, second] = await Promise.all(
      [scratch, again].map(async (folder) =>
        createHash('sha256')
          .update(await readFile(join(folder, tarball)))
          .digest('hex'),
      ),
    );
    expect(second).toBe(first);
  });

  it('is not packed where its build has failed', async () => {
    const folder = join(scratch, 'incomplete');
    await cp(installed(), folder, { recursive: true });
    await rm(join(folder, 'package.json'));
    await expect(run('npm', ['pack', folder], { cwd: scratch })).rejects.toThrow('package.json');
  });
});

describe('the example of docs/deploy.md', () => {
  /** As an ES module and as CommonJS. */
  async function writeExample(folder: string): Promise<readonly string[]> {
    const page = await readFile(join(root, 'docs', 'deploy.md'), 'utf8');
    const [, example = ''] = /^```ts\n(.*?)^```/ms.exec(page) ?? [];
    expect(example).toContain('new Payhooks');
    await writeFile(join(folder, 'app.mjs'), example);
    const required = example.replaceAll(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
    await writeFile(join(folder, 'app.cjs'), required);
    await writeFile(join(folder, 'app.ts'), example);
    return ['app.mjs', 'app.cjs'];
  }

  it.for([
    ...Object.keys(nodes).map((node) => [newest, node] as const),
    ...Object.keys(nodes)
      .slice(0, 1)
      .map((node) => [oldest, node] as const),
  ])('synthesises with %s on Node %s, with import and require', async ([cdk, version]) => {
    const node = nodes[version]?.() ?? '';
    expect((await run(node, ['--version'])).stdout).toBe(`v${version}\n`);
    for (const app of await writeExample(project(cdk))) {
      const output = join(project(cdk), `${app}-${version}`);
      // AWS's rules for templates, which newer versions of CDK apply, take longer than all the rest.
      const env = { CDK_OUTDIR: output, CDK_VALIDATION: 'false' };
      const start = performance.now();
      await run(node, [app], { cwd: project(cdk), env });
      process.stdout.write(`${app}, ${cdk}, Node ${version}: ${Math.round(performance.now() - start)} ms\n`);
      const template = await readFile(join(output, 'Shop.template.json'), 'utf8');
      expect(template).toContain('"AWS::ApiGatewayV2::Api"');
      const functions = Object.values<{ Type: string }>(JSON.parse(template).Resources).filter(
        ({ Type }) => Type === 'AWS::Lambda::Function',
      );
      const assets = (await readdir(output)).filter((name) => name.startsWith('asset.'));
      expect(assets).toHaveLength(functions.length);
      const code = await Promise.all(assets.map((asset) => readdir(join(output, asset))));
      expect(new Set(code.flat())).toEqual(new Set(['index.js', 'index.mjs', 'bundle.cjs']));
    }
  });

  it.for(['node10', 'nodenext'])('has types with moduleResolution %s', async (moduleResolution) => {
    const folder = project(newest);
    await writeExample(folder);
    const wrong = `
      // @ts-expect-error There is no such prop.
      new Payhooks(stack, 'Other', { alarmMail: 'oncall@example.com' });
      // @ts-expect-error A retention is a Duration.
      new Payhooks(stack, 'Third', { eventRetention: 30 });
    `;
    await writeFile(join(folder, 'app.ts'), (await readFile(join(folder, 'app.ts'), 'utf8')) + wrong);
    // The TypeScript of the order client: newer ones have no node10.
    const tsc = createRequire(join(root, 'packages/order-client/package.json')).resolve('typescript/bin/tsc');
    const module = moduleResolution === 'node10' ? 'commonjs' : moduleResolution;
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--types', 'node'];
    const resolution = ['--module', module, '--moduleResolution', moduleResolution];
    const types = ['--typeRoots', join(root, 'node_modules', '@types')];
    const { stdout } = await run(process.execPath, [tsc, ...options, ...resolution, ...types, 'app.ts'], {
      cwd: folder,
    }).catch((error) => error);
    expect(stdout).toBe('');
  });

  it('has declarations that resolve everywhere', async () => {
    const attw = join(root, 'node_modules', '.bin', 'attw');
    const { stdout } = await run(attw, [join(scratch, tarball)]).catch((error) => error);
    expect(stdout).toContain('No problems found');
  });
});

describe('the command of the package', () => {
  const command = (version: string) => [nodes[version]?.() ?? '', join(installed(), 'bin', 'payhooks.cjs')];
  const ended = async (version: string, ...argv: readonly string[]) => {
    const [node = '', ...file] = command(version);
    return run(node, [...file, ...argv], { env: {} }).catch((error) => error);
  };

  it('runs on Node 22, and names it on an older one', async () => {
    expect((await ended('22.23.3', '--version')).stdout).toBe(`${version}\n`);
    expect((await ended('22.23.3', 'help', 'events')).stdout).toContain('payhooks events [options]');
    const unreachable = await ended('22.23.3', 'status', '--local', 'http://127.0.0.1:1');
    expect([unreachable.code, unreachable.stderr]).toEqual([4, expect.stringContaining('does not run')]);
    const old = await ended('20.8.0', '--version');
    expect([old.code, old.stderr]).toEqual([
      1,
      expect.stringMatching(/^The payhooks command needs Node 22 or newer; this is Node 20\.8\.0 \(/),
    ]);
  });

  it('serves the console with the page and the runbook of the package', async () => {
    const env = {
      ...{ AWS_ENDPOINT_URL: await startCloudFormation([{ name: 'shop' }]), AWS_REGION: 'us-east-1' },
      ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    };
    const flags = ['--stack', 'shop', '--port', '0', '--no-browser'];
    const console = await startConsoleProcess(flags, env, command('22.23.3'));
    const page = await (await console.request('/console/orders')).text();
    const [, asset = ''] = /<script type="module" src="([^"]+)"/.exec(page) ?? [];
    const script = await console.request(asset);
    expect([script.status, script.headers.get('content-type')]).toEqual([
      200,
      'text/javascript; charset=utf-8',
    ]);
    const runbook = await console.request('/console/api/runbook/HeartbeatMissing');
    expect(await runbook.json()).toMatchObject({ command: expect.stringContaining('--stack shop') });
  });
});
