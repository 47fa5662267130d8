import { readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { synthesise } from '@payhooks/cdk-local';
import { environmentName, unbilled } from './environment.ts';
import type { PaymentServiceOptions } from './payment-service.ts';

interface Synthesis extends Pick<PaymentServiceOptions, 'authentication'> {
  readonly serviceBaseUrl: string;
  /** Settings of the stack, as `-c` takes them. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Keeps what was synthesised. */
  readonly keptIn?: string;
}

const project = join(import.meta.dirname, '..', '..');

/** All that `bin/app.ts` and the bundles are made of; a test compares it with what they import. */
export const sources = [
  ...['bin', 'lib', 'lambdas', 'packages/payment-service/src', 'packages/payment-service/package.json'],
  ...['cdk.json', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json', 'tsconfig.json'],
];

/**
 * The folders of all installed packages but those that only development needs, relative to the project. A
 * workspace is none of them, as `sources` names what is used of it.
 */
export async function installedPackages(root = project): Promise<readonly string[]> {
  const lock = await readFile(join(root, 'node_modules', '.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lock) as { packages: Readonly<Record<string, InstalledPackage>> };
  const own = await realpath(root);
  const folders = Object.entries(packages)
    .filter(([folder, { dev }]) => /(^|\/)node_modules\//.test(folder) && !dev)
    .map(async ([folder, { link }]) => {
      if (!link) return folder;
      // What `npm link` leads to; a link that leads nowhere stays as it is.
      const place = relative(own, await realpath(join(root, folder)).catch(() => join(own, folder)));
      return place.startsWith(`packages${sep}`) ? [] : place;
    });
  return (await Promise.all(folders)).flat();
}

interface InstalledPackage {
  readonly dev?: boolean;
  /** A workspace, or a package that `npm link` put in place of the installed one. */
  readonly link?: boolean;
}

/** In place of the address of the simulated payment service, whose port may differ at each start. */
const anyServiceBaseUrl = 'http://127.0.0.1:1';

/**
 * The slow part of a start: the CDK app runs in a process of its own, unless the sources and settings are
 * those of an earlier start.
 */
export async function synthesiseStack(options: Synthesis) {
  const { serviceBaseUrl, authentication, settings, signal } = options;
  const { keptIn = join(project, 'node_modules', '.cache', 'payhooks-local') } = options;
  // Without npm's list of what is installed, nothing is kept.
  const packages = await installedPackages().catch(() => undefined);
  const synthesised = await synthesise({
    project,
    app: 'bin/app.ts',
    context: {
      environmentName,
      keepData: false,
      paymentServiceBaseUrl: anyServiceBaseUrl,
      paymentServiceAuthentication: authentication,
      ...unbilled,
      ...settings,
    },
    ...(packages && { keep: { directory: keptIn, sources, packages } }),
    ...(signal && { signal }),
  });
  const { directory } = synthesised;
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.template.json')) continue;
    const template = await readFile(join(directory, name), 'utf8');
    const own = template
      .replaceAll(JSON.stringify(anyServiceBaseUrl), JSON.stringify(serviceBaseUrl))
      // Nothing is billed here, so no event waits for others.
      .replaceAll(/("MaximumBatchingWindowInSeconds": )\d+/g, '$10');
    await writeFile(join(directory, name), own);
  }
  return synthesised;
}
