import { execFile, type StdioOptions, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startCloudFormation } from '../doubles/cloudformation.ts';
import { startConsoleProcess } from '../doubles/console-process.ts';
import { dependencies, npmFlags, pack, root, tarballsIn, version } from './tarballs.ts';

const run = promisify(execFile);
const newest = `aws-cdk-lib@${dependencies['aws-cdk-lib']}`;
const oldest = 'aws-cdk-lib@2.239.0';

const scratch = await mkdtemp(join(tmpdir(), 'payhooks-package-'));
const [tarball = '', local = ''] = tarballsIn(scratch);
/** An empty project, out of reach of the packages of this repository. */
const project = (cdk: string) => join(scratch, cdk);
const packages = join(project(newest), 'node_modules');
const payhooks = join(packages, 'payhooks');
const nodes: Readonly<Record<string, string>> = {
  '20.8.0': join(packages, 'node20', 'bin', 'node'),
  '22.23.3': join(packages, 'node22', 'bin', 'node'),
  [process.versions.node]: process.execPath,
};
const [example = ''] =
  /(?<=^```ts\n).*?^(?=```)/ms.exec(await readFile(join(root, 'docs', 'deploy.md'), 'utf8')) ?? [];

async function install(cdk: string, ...others: readonly string[]): Promise<void> {
  const cwd = project(cdk);
  await mkdir(cwd);
  const required = example.replaceAll(/^import (.*) from (.*);$/gm, 'const $1 = require($2);');
  const files = { 'app.mjs': example, 'app.cjs': required, 'package.json': '{}' };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  await run('npm', ['install', ...npmFlags, tarball, cdk, ...others], { cwd });
}

beforeAll(async () => {
  process.stdout.write((await pack(scratch)).stdout);
  const binary = `npm:node-${process.platform}-${process.arch}`;
  const binaries = [`node20@${binary}@20.8.0`, `node22@${binary}@22.23.3`];
  await install(newest, `constructs@${dependencies.constructs}`, ...binaries);
  await install(oldest, 'constructs@10.5.0');
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('the package payhooks', () => {
  it('takes at most 1.2 MB: bundles, declarations, documents and licences, and no source', async () => {
    const permitted = [
      /^(package\.json|README\.md|THIRD-PARTY-LICENCES\.txt|docs\/runbook\.md|bin\/payhooks\.cjs)$/,
      /^dist\/(index\.js|console-page\.json)$/,
      /^dist\/functions\/[a-z-]+\/index\.js$/,
      /^dist\/functions\/verifier\/(index\.mjs|bundle\.cjs)$/,
      /^dist\/types\/(lib|lambdas\/contract|lambdas\/domain)\/[a-z-]+\.d\.ts$/,
      /^dist\/cli\/[\w-]+\.mjs$/,
    ];
    expect((await stat(tarball)).size).toBeLessThanOrEqual(1_200_000);
    const entries = await readdir(payhooks, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => relative(payhooks, join(parentPath, name)));
    expect(paths.filter((path) => !permitted.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(permitted.filter((pattern) => !paths.some((path) => pattern.test(path)))).toEqual([]);
    const licences = await readFile(join(payhooks, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    // In the construct, in the page, in the functions.
    for (const line of [
      /^valibot@.* \(MIT\)$/m,
      /^preact@.* \(MIT\)$/m,
      /^@aws-sdk\/client-sqs@.* \(Apache/m,
    ])
      expect(licences).toMatch(line);
    expect(licences).not.toMatch(/^(esbuild|typescript|aws-cdk-lib)@/m);
  });

  it('has functions with the whole SDK of AWS where that was chosen', async () => {
    vi.stubEnv('PAYHOOKS_BUNDLED_SDK', 'whole');
    const whole = join(scratch, 'whole');
    await pack(whole, '--only', 'payhooks');
    const code = [payhooks, join(whole, 'payhooks')].map((folder) =>
      readFile(join(folder, 'dist', 'functions', 'verifier', 'bundle.cjs'), 'utf8'),
    );
    expect((await Promise.all(code)).map((text) => text.includes('AWS_PROFILE'))).toEqual([false, true]);
  });

  it('has the same bytes when it is built again', async () => {
    const again = join(scratch, 'again');
    await pack(again, '--only', 'payhooks');
    const [first, second] = await Promise.all(
      [scratch, again].map((folder) => readFile(tarballsIn(folder)[0] ?? '')),
    );
    expect(second?.equals(first ?? Buffer.alloc(0))).toBe(true);
  });
});

describe('the example of docs/deploy.md', () => {
  const templates = new Set<string>();

  it.for([...Object.keys(nodes).map((node) => [newest, node] as const), [oldest, '20.8.0'] as const])(
    'makes the same template with %s on Node %s, with import and require',
    async ([cdk, release]) => {
      const node = nodes[release] ?? '';
      expect((await run(node, ['--version'])).stdout).toBe(`v${release}\n`);
      for (const app of ['app.mjs', 'app.cjs']) {
        const output = join(project(cdk), `${app}-${release}`);
        // AWS's rules for templates, which newer versions of CDK apply, take longer than all the rest.
        const env = { CDK_OUTDIR: output, CDK_VALIDATION: 'false' };
        const start = performance.now();
        await run(node, [app], { cwd: project(cdk), env });
        process.stdout.write(
          `${cdk}, Node ${release}, ${app}: ${Math.round(performance.now() - start)} ms\n`,
        );
        const template = await readFile(join(output, 'Shop.template.json'), 'utf8');
        const functions = template.match(/"AWS::Lambda::Function"/g) ?? [];
        const assets = (await readdir(output)).filter((name) => name.startsWith('asset.'));
        expect(assets).toHaveLength(functions.length);
        const code = await Promise.all(assets.map((asset) => readdir(join(output, asset))));
        expect(new Set(code.flat())).toEqual(new Set(['index.js', 'index.mjs', 'bundle.cjs']));
        templates.add(template);
      }
      expect(templates.size).toBe(1);
    },
  );

  it.for([
    ['node10', 'commonjs'],
    ['nodenext', 'nodenext'],
  ])('has types with moduleResolution %s', async ([moduleResolution = '', module = '']) => {
    const wrong = `
      // @ts-expect-error There is no such prop.
      new Payhooks(stack, 'Other', { alarmMail: 'oncall@example.com' });
      // @ts-expect-error A retention is a Duration.
      new Payhooks(stack, 'Third', { eventRetention: 30 });
    `;
    await writeFile(join(project(newest), 'app.ts'), example + wrong);
    // The TypeScript of the order client: newer ones have no node10.
    const tsc = createRequire(join(root, 'packages/order-client/package.json')).resolve('typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022'];
    const resolution = ['--module', module, '--moduleResolution', moduleResolution];
    const { stdout } = await run(process.execPath, [tsc, ...options, ...resolution, 'app.ts'], {
      cwd: project(newest),
    }).catch((error) => error);
    expect(stdout).toBe('');
  });
});

describe('the command of the package', () => {
  const command = join(payhooks, 'bin', 'payhooks.cjs');
  const ended = async (node: string, ...argv: readonly string[]) =>
    run(nodes[node] ?? '', [command, ...argv], { env: {} }).catch((error) => error);

  it('runs on Node 22, and names it on an older one', async () => {
    expect((await ended('22.23.3', '--version')).stdout).toBe(`${version}\n`);
    const unreachable = await ended('22.23.3', 'status', '--local', 'http://127.0.0.1:1');
    expect([unreachable.code, unreachable.stderr]).toEqual([4, expect.stringContaining('does not run')]);
    const old = await ended('20.8.0', '--version');
    const needed = /^The payhooks command needs Node 22 or newer; this is Node 20\.8\.0 \(/;
    expect([old.code, old.stderr]).toEqual([1, expect.stringMatching(needed)]);
  });

  it('serves the console with the page and the runbook of the package', async () => {
    const env = {
      ...{ AWS_ENDPOINT_URL: await startCloudFormation([{ name: 'shop' }]), AWS_REGION: 'us-east-1' },
      ...{ AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    };
    const argv = ['--stack', 'shop', '--port', '0', '--no-browser'];
    const console = await startConsoleProcess(argv, env, [nodes['22.23.3'] ?? '', command]);
    const page = await (await console.request('/console/orders')).text();
    const [asset = ''] = /(?<=<script type="module" src=")[^"]+/.exec(page) ?? [];
    const { status, headers } = await console.request(asset);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
    const runbook = await console.request('/console/api/runbook/HeartbeatMissing');
    expect(await runbook.json()).toMatchObject({ command: expect.stringContaining('--stack shop') });
  });

  it('makes a project in an empty folder, whose test passes, and which runs on this machine', async () => {
    const cwd = join(scratch, 'shop');
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
    await run(process.execPath, [command, 'init', cwd, '--yes', '--region', 'eu-west-1']);
    await run('npm', ['install', ...npmFlags, tarball, local], { cwd, env });
    expect((await run('npm', ['test'], { cwd, env })).stdout).toMatch(/pass 2$/m);

    const argv = ['start', '--', '--port', '0', '--service-port', '0'];
    // A group of its own: npm passes no SIGKILL on.
    const stdio: StdioOptions = ['ignore', 'pipe', 'inherit'];
    const child = spawn('npm', argv, { cwd, env, detached: true, stdio });
    onTestFinished(() => void process.kill(-(child.pid ?? Number.NaN), 'SIGKILL'));
    let printed = '';
    for await (const text of child.stdout ?? []) {
      printed += text;
      if (printed.includes('is paid after 1 event')) break;
    }
    const [url = ''] = /(?<=^ready )\S+/m.exec(printed) ?? [];
    for (const path of ['/console/orders', '/console/api/runbook/HeartbeatMissing', '/orders'])
      expect((await fetch(url + path)).status).toBe(200);
  });
});
