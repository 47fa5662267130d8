import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  isPermitted,
  lockedPackages,
  type ShippedPackage,
  shippedPackages,
  stages,
} from '../../bin/licences.ts';
import { billOfMaterials } from '../../bin/sbom.ts';

const root = join(import.meta.dirname, '../..');

/** Packages that would run something when they are installed, and why they work although npm is told not to. */
const installScripts: Readonly<Record<string, string>> = {
  esbuild: 'checks that its binary runs; the binary itself is an optional dependency',
  'classic-level': 'builds LevelDB where no binary fits; it brings one for each common platform',
};

interface Component {
  readonly name: string;
  readonly version: string;
  readonly licenses?: readonly unknown[];
}

describe('licences', () => {
  let shipped: ShippedPackage[];
  beforeAll(() => {
    shipped = shippedPackages();
  });

  it('are permitted for every package that ships in a bundle, in the client or with the deployment', () => {
    const refused = shipped.filter(({ licence }) => !isPermitted(licence));
    expect(refused.map(({ name, version, licence }) => `${name}@${version}: ${licence}`)).toEqual([]);
  });

  it('are looked up for every stage and for the client', () => {
    const places = new Set(shipped.flatMap(({ shippedIn }) => shippedIn));
    expect(stages()).toEqual(expect.arrayContaining(['consumer', 'order-feed', 'order-query', 'verifier']));
    expect([...places].sort()).toEqual([...stages(), 'client', 'npm ci --omit=dev'].sort());
    expect(shipped.find(({ name }) => name === '@aws-sdk/client-sqs')?.shippedIn).toContain('verifier');
    expect(shipped.find(({ name }) => name === '@smithy/signature-v4')?.shippedIn).toContain('client');
  });

  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC', '0BSD'])(
    'permit %s',
    (licence) => {
      expect(isPermitted(licence)).toBe(true);
    },
  );

  it.each([
    'AGPL-3.0-or-later',
    'GPL-3.0-only',
    'LGPL-2.1',
    'BUSL-1.1',
    'SSPL-1.0',
    'Elastic-2.0',
    'MIT AND GPL-2.0',
    'AGPL-3.0 OR BUSL-1.1',
    'SEE LICENSE IN LICENSE.txt',
    'UNLICENSED',
    '',
  ])('refuse "%s"', (licence) => {
    expect(isPermitted(licence)).toBe(false);
  });
});

describe('the lock file', () => {
  const locked = Object.entries(lockedPackages());

  it('pins the content of every package by its hash', () => {
    const loose = locked.filter(
      ([, { integrity, inBundle }]) => inBundle !== true && !/^sha512-/.test(integrity ?? ''),
    );
    expect(loose.map(([path]) => path)).toEqual([]);
  });

  it('holds no package with an install script but those that are explained', () => {
    const names = locked
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.split('node_modules/').at(-1));
    expect([...new Set(names)].sort()).toEqual(Object.keys(installScripts).sort());
  });

  it('is installed without running any of them', () => {
    expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  });
});

describe('the bill of materials', () => {
  it('names every package that ships, with its licence, and no development tool', () => {
    const { bomFormat, metadata, components } = JSON.parse(billOfMaterials()) as {
      readonly bomFormat: string;
      readonly metadata: { readonly component: { readonly name: string } };
      readonly components: readonly Component[];
    };
    expect(bomFormat).toBe('CycloneDX');
    expect(metadata.component.name).toBe('payhooks');
    const named = components.map(({ name, version }) => `${name}@${version}`);
    const missing = shippedPackages().filter(({ name, version }) => !named.includes(`${name}@${version}`));
    expect(missing.map(({ name }) => name)).toEqual([]);
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
    for (const tool of ['vitest', 'typescript', 'dynalite', 'cdk-nag']) {
      expect(components.map(({ name }) => name)).not.toContain(tool);
    }
  });
});
