import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentName } from '@payhooks/cdk-local';

/** What went wrong is in the message, as the CDK app said it. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

export interface Synthesis {
  /** The CloudFormation template, parsed. */
  readonly template: unknown;
  /** Holds the template and, by `aws:asset:path`, the bundled functions. */
  readonly directory: string;
  /** Deletes the directory. */
  remove(): Promise<void>;
}

export interface SynthesisOptions {
  /** The folder with `cdk.json`; `app` runs in it. */
  readonly project: string;
  /** The CDK app, relative to the project. */
  readonly app: string;
  /** Settings of this run, in the place of those in `cdk.json`. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** Ends the synthesis early. */
  readonly signal?: AbortSignal;
}

/** What local mode changes in the deployment that cdk.json describes. */
const localContext = {
  environmentName,
  keepData: false,
  // Without it the template does not say where the code of a function is.
  'aws:cdk:enable-asset-metadata': true,
};

/**
 * Runs the CDK app as `cdk synth` would, without the CLI, and gives what it wrote to a temporary folder.
 * Rejects with a `SynthesisError` that holds the app's own words.
 */
export async function synthesise(options: SynthesisOptions): Promise<Synthesis> {
  const directory = await mkdtemp(join(tmpdir(), 'payhooks-'));
  const remove = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    // The bundles are CommonJS, also when a folder above this one is a package of ES modules.
    await writeFile(join(directory, 'package.json'), '{"type":"commonjs"}');
    await runApp(options, directory);
    return { template: await readTemplateFile(directory), directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function runApp(options: SynthesisOptions, directory: string): Promise<void> {
  const { project, app, signal } = options;
  const { context } = JSON.parse(await readFile(join(project, 'cdk.json'), 'utf8')) as { context?: object };
  const child = spawn(process.execPath, [app], {
    cwd: project,
    env: {
      ...process.env,
      CDK_OUTDIR: directory,
      // AWS's rules check a deployment; here they would only make every start wait.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...localContext, ...options.context }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  const [said, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return;
  const how = code === null ? `was ended by ${killedBy}` : `exited with code ${code}`;
  throw new SynthesisError(`${app} ${how}:\n${String(said).trim()}`);
}

interface Manifest {
  readonly artifacts: Readonly<Record<string, { type: string; properties?: { templateFile?: string } }>>;
}

async function readTemplateFile(directory: string): Promise<unknown> {
  const manifest = JSON.parse(await readFile(join(directory, 'manifest.json'), 'utf8')) as Manifest;
  const stacks = Object.values(manifest.artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
  const [file, ...others] = stacks.map(({ properties }) => properties?.templateFile);
  if (file === undefined || others.length > 0) {
    throw new SynthesisError(`The CDK app made ${stacks.length} stacks; local mode runs exactly one.`);
  }
  return JSON.parse(await readFile(join(directory, file), 'utf8'));
}
