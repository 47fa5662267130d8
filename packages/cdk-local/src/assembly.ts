import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { account, region } from './account.ts';

/** The CDK app failed, or wrote no stack to run. The message holds what the app printed. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

export interface SynthesisOptions {
  /** The folder with `cdk.json`; its `app` runs there, with this Node. */
  readonly project: string;
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
    await runApp(options, directory);
    return { directory, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** What the CDK CLI reads of a project. */
interface Project {
  readonly app?: string;
  readonly build?: string;
  readonly context?: object;
}

const readJson = async (...path: string[]) => JSON.parse(await readFile(join(...path), 'utf8'));

/** An empty object for a file that does not exist. */
const readSettings = (...path: string[]): Promise<Project> =>
  readJson(...path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return {};
  });

async function runApp({ project, context, signal }: SynthesisOptions, directory: string): Promise<void> {
  const settings = await readSettings(project, 'cdk.json');
  const commands = [settings.build, settings.app].filter((one) => one !== undefined).join(' && ');
  if (commands === '') {
    throw new SynthesisError(`${project} has no cdk.json with an app; expected the folder of a CDK app.`);
  }
  // The results of earlier lookups, such as of a VPC; without them CDK writes placeholders.
  const found = await readSettings(project, 'cdk.context.json');
  const child = spawn(commands, {
    shell: true,
    cwd: project,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      CDK_OUTDIR: directory,
      CDK_DEFAULT_ACCOUNT: account,
      CDK_DEFAULT_REGION: region,
      // AWS's rules check a deployment; here they would only make every start wait.
      CDK_VALIDATION: 'false',
      CDK_CONTEXT_JSON: JSON.stringify({
        ...found,
        ...settings.context,
        // Without asset metadata the template does not name the folder with the code of a function.
        'aws:cdk:enable-asset-metadata': true,
        ...context,
      }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own: the end of the shell is not that of the app.
    detached: true,
    ...(signal === undefined ? {} : { signal }),
  });
  const end = (): void => endGroup(child.pid);
  signal?.addEventListener('abort', end);
  // Later the number may be that of another group.
  child.once('exit', () => signal?.removeEventListener('abort', end));
  const [printed, [code, killedBy]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code === 0) return;
  const how = code === null ? `was ended by ${killedBy}` : `exited with code ${code}`;
  throw new SynthesisError(`${commands} ${how}:\n${String(printed).trim()}`);
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid);
  } catch {
    // It has ended already.
  }
}

interface Artifact {
  readonly type: string;
  /** Such as `aws://111122223333/eu-central-1`, or `aws://unknown-account/unknown-region`. */
  readonly environment?: string;
  readonly properties?: {
    readonly templateFile?: string;
    readonly stackName?: string;
    readonly directoryName?: string;
  };
}

/** Lambda knows no package above a bundle; Node would take `.js` for an ES module where one says so. */
async function markAsCommonJs(directory: string): Promise<void> {
  const file = join(directory, 'package.json');
  await writeFile(file, '{"type":"commonjs"}', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/** A stack of a cloud assembly, which is what `cdk synth` writes. */
export interface Assembly {
  /** Also holds, by `aws:asset:path`, the bundled functions. */
  readonly directory: string;
  readonly stackName: string;
  /** What the names of alarms begin with; by default the name of the stack. */
  readonly namePrefix?: string;
  readonly template: unknown;
}

/** Chooses the stack to run, and may leave resources out of its template. */
export type Choose = (stacks: readonly Assembly[]) => Assembly;

/** Rejects with the error of `choose`, by default for more or less than one stack. */
export async function readAssembly(directory: string, choose: Choose = onlyOne): Promise<Assembly> {
  await markAsCommonJs(directory);
  return choose(await readStacks(resolve(directory)));
}

/** The stacks of an assembly, and those of the assemblies in it: each stage of an app has one. */
async function readStacks(directory: string): Promise<readonly Assembly[]> {
  const { artifacts } = await readJson(directory, 'manifest.json');
  const read = Object.entries<Artifact>(artifacts).map(async ([id, artifact]) => {
    const {
      type,
      environment = '',
      properties: { directoryName, templateFile, stackName = id } = {},
    } = artifact;
    if (type === 'cdk:cloud-assembly' && directoryName !== undefined)
      return readStacks(join(directory, directoryName));
    if (type !== 'aws:cloudformation:stack' || templateFile === undefined) return [];
    const template = await readFile(join(directory, templateFile), 'utf8');
    return [{ directory, stackName, template: JSON.parse(moved(template, environment)) as unknown }];
  });
  return (await Promise.all(read)).flat();
}

/** The template in our account and region; where the app names others, they are literals in it. */
function moved(template: string, environment: string): string {
  const [, theirs = account, place = region] =
    /^aws:\/\/(\d{12})?[^/]*\/([a-z-]+-\d)?/.exec(environment) ?? [];
  return template.replaceAll(theirs, account).replaceAll(place, region);
}

function onlyOne(stacks: readonly Assembly[]): Assembly {
  const [only] = stacks;
  if (only !== undefined && stacks.length === 1) return only;
  const names = stacks.map(({ stackName }) => stackName).join(', ');
  throw new SynthesisError(`The app has ${stacks.length} stacks (${names}); expected exactly one.`);
}
