import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/** The CDK app failed, or wrote something other than one stack. The message holds what the app printed. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

export interface SynthesisOptions {
  /** The folder with `cdk.json`; `app` runs in it. */
  readonly project: string;
  /** The program of the CDK app, relative to the project. Node runs it. */
  readonly app: string;
  /** Takes precedence over the context of `cdk.json`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Ends the synthesis early. */
  readonly signal?: AbortSignal;
}

/** Runs a CDK app into a temporary folder, like `cdk synth` but without the CLI. `remove` deletes it. */
export async function synthesise(options: SynthesisOptions) {
  const directory = await mkdtemp(join(tmpdir(), 'cdk-local-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    await runApp(options, await contextOf(options), directory);
    return { directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function contextOf({ project, context }: SynthesisOptions): Promise<object> {
  const settings = JSON.parse(await readFile(join(project, 'cdk.json'), 'utf8')) as { context?: object };
  // Without asset metadata the template does not name the folder with the code of a function.
  return { ...settings.context, 'aws:cdk:enable-asset-metadata': true, ...context };
}

async function runApp(
  { project, app, signal }: SynthesisOptions,
  context: object,
  directory: string,
): Promise<void> {
  const child = spawn(process.execPath, [app], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      // AWS's rules check a deployment; here they would only make every start wait.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify(context),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  const [printed, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return;
  const how = code === null ? `was ended by ${killedBy}` : `exited with code ${code}`;
  throw new SynthesisError(`${app} ${how}:\n${String(printed).trim()}`);
}

interface Artifact {
  readonly type: string;
  readonly properties?: { readonly templateFile?: string; readonly stackName?: string };
}

/** Lambda knows no package above a bundle; Node would take `.js` for an ES module where one says so. */
async function markAsCommonJs(directory: string): Promise<void> {
  const file = join(directory, 'package.json');
  await writeFile(file, '{"type":"commonjs"}', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** The one stack of a cloud assembly, which is what `cdk synth` writes. */
export type Assembly = Awaited<ReturnType<typeof readAssembly>>;

/** Rejects with a `SynthesisError` when the folder holds no stack, or more than one. */
export async function readAssembly(directory: string) {
  await markAsCommonJs(directory);
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8'));
  const artifacts = Object.entries<Artifact>(manifest.artifacts);
  const stacks = artifacts.filter(([, { type }]) => type === 'aws:cloudformation:stack');
  const [id, { properties = {} }] = stacks[0] ?? ['', {}];
  const { templateFile, stackName = id } = properties;
  if (templateFile === undefined || stacks.length > 1) {
    throw new SynthesisError(`${directory} holds ${stacks.length} stacks; expected exactly one.`);
  }
  const template: unknown = JSON.parse(await readFile(join(directory, templateFile), 'utf8'));
  // The folder also holds, by `aws:asset:path`, the bundled functions.
  return { directory: resolve(directory), stackName, template };
}
