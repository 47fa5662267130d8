import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { leanBundleOptions } from '../lib/lean-bundle.ts';

const root = join(import.meta.dirname, '..');

/** Where a package is that nothing bundles: with whoever installs the repository to deploy it. */
const installed = 'npm ci --omit=dev';

/** Licences that ask for no more than their text and a notice; all others are refused, known or not. */
const permitted = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX expression that the package gives itself; empty when it gives none. */
  readonly licence: string;
  /** What holds its code: a stage's bundle, the client, or the tools that deploy. */
  readonly shippedIn: readonly string[];
}

/**
 * Whether an SPDX expression is satisfied by permitted licences alone: one side of an OR is enough, an AND
 * needs both. Anything that is no such expression, as "SEE LICENSE IN …", is refused.
 */
export function isPermitted(expression: string): boolean {
  const plain = expression.replaceAll(/^\(([^()]*)\)$/g, '$1').trim();
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermitted);
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isPermitted);
  return permitted.includes(plain);
}

/** Every package whose code is in something that leaves this repository, by name. */
export function shippedPackages(): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  const add = ({ name, version, license }: Manifest, where: string): void => {
    const id = `${name}@${version}`;
    const shippedIn = new Set([...(found.get(id)?.shippedIn ?? []), where]);
    found.set(id, { name, version, licence: license ?? '', shippedIn: [...shippedIn] });
  };
  for (const stage of stages()) {
    for (const manifest of bundledPackages(join('lambdas', stage, 'handler.ts'))) add(manifest, stage);
  }
  for (const manifest of bundledPackages(join('client', 'index.ts'))) add(manifest, 'client');
  for (const manifest of installedPackages()) add(manifest, installed);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

const readManifest = (file: string): Manifest => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** The folders in `lambdas/` that are deployed. */
export const stages = (): string[] =>
  readdirSync(join(root, 'lambdas')).filter((name) => existsSync(join(root, 'lambdas', name, 'handler.ts')));

/** The packages that esbuild puts into a bundle, as they describe themselves. */
function bundledPackages(entry: string): Manifest[] {
  const { metafile } = buildSync({
    ...leanBundleOptions,
    absWorkingDir: root,
    entryPoints: [entry],
    write: false,
    metafile: true,
    outfile: 'index.js',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
  const folders = new Set(inputs.flatMap((input) => packageFolder.exec(input)?.[0] ?? []));
  return [...folders].map((folder) => readManifest(join(folder, 'package.json')));
}

/** The package that a file belongs to; our own files belong to none. */
const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

/** The lock file without the development tools: what whoever deploys installs, on any platform. */
function installedPackages(): Manifest[] {
  return Object.entries(productionPackages()).map(([path, { version, license }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, ...(license === undefined ? {} : { license }) };
  });
}

export interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

/** The repository itself and its workspaces, which need no hash and have no licence. */
const ownPackage = /^$|^packages\/[^/]+$|^node_modules\/@payhooks\//;

/** What the lock file holds, by folder; without the repository's own packages. */
export function lockedPackages(): Readonly<Record<string, LockedPackage>> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(packages as Record<string, LockedPackage>).filter(([path]) => !ownPackage.test(path)),
  );
}

export const productionPackages = (): Readonly<Record<string, LockedPackage>> =>
  Object.fromEntries(
    Object.entries(lockedPackages()).filter(
      ([, { dev, devOptional }]) => dev !== true && devOptional !== true,
    ),
  );

function print(packages: readonly ShippedPackage[]): void {
  for (const { name, version, licence, shippedIn } of packages) {
    process.stdout.write(
      `${licence.padEnd(26)} ${`${name}@${version}`.padEnd(52)} ${shippedIn.join(', ')}\n`,
    );
  }
  const refused = packages.filter(({ licence }) => !isPermitted(licence));
  for (const { name, version, licence } of refused) {
    process.stderr.write(
      `${name}@${version}: licence ${licence === '' ? 'not given' : `"${licence}"`}, ` +
        `expected one of ${permitted.join(', ')}.\n`,
    );
  }
  if (refused.length > 0) process.exitCode = 1;
  else process.stdout.write(`${packages.length} packages, each of them permitted.\n`);
}

if (import.meta.main) print(shippedPackages());
