import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { CommandError, type ExitCode, exitCodes } from '../../operator/operator-error.ts';
import { shellQuoted } from '../../operator/shell-quoted.ts';
import { type CommandSetup, examplesOf } from '../options.ts';
import type { Session } from '../session.ts';
import { filesOf } from './files.ts';
import { type Answers, answersOf, commandOf, optionOf, questions } from './questions.ts';

const notes = `
Writes package.json, bin/app.ts, cdk.json, a test, a workflow of GitHub that runs it, and a README. The folder
must be empty. What no option answers, it asks; without a terminal, or with --yes, it takes the defaults.
Everything can be changed later in bin/app.ts.
`;

interface InitOptions extends Partial<Answers> {
  readonly yes?: true;
}

export function define({ command, action }: CommandSetup): void {
  command.argument('[folder]', 'where to write it', '.');
  for (const [name, { prompt, empty }] of Object.entries(questions)) {
    const note = empty === undefined ? '' : ` (default: ${empty})`;
    command.option(`${optionOf(name as keyof Answers)} <value>`, `${prompt}${note}`);
  }
  command
    .option('-y, --yes', 'ask nothing, and take the defaults')
    .addHelpText('after', notes + examplesOf('init shop', 'init shop --yes --region eu-west-1'))
    .action(action(init));
}

async function init(session: Session, given: string, { yes, ...options }: InitOptions): Promise<ExitCode> {
  const { terminal, input } = session;
  const folder = resolve(given);
  await refuseFull(folder);
  const answers = await answersOf(session, options, { asks: input.isTerminal && !yes });
  // A name that npm accepts.
  const name =
    basename(folder)
      .toLowerCase()
      .replace(/[^a-z\d-]+/g, '-')
      .replace(/^-+/, '') || 'payments';
  await writeFiles(folder, filesOf(name, answers));
  terminal.print(`Wrote ${folder}. The same without questions: npx ${commandOf(answers)}`);
  const steps = ['npm install', 'npm start', 'npm test', 'npx payhooks deploy'];
  terminal.print('Next:');
  for (const step of given === '.' ? steps : [`cd ${shellQuoted(given)}`, ...steps])
    terminal.print(`  ${step}`);
  return exitCodes.done;
}

/** A new repository of git counts as empty. */
async function refuseFull(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError('failed', `${folder} cannot be written to: ${error.code}.`, { cause: error });
  });
  const [first] = found.filter((name) => name !== '.git');
  if (first === undefined) return;
  throw new CommandError('wrongUsage', `${folder} is not empty: it has ${first}. Name another folder.`);
}

/** All, or none: what was written is removed if one cannot be written. */
async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const created = await mkdir(folder, { recursive: true });
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text, { flag: 'wx' });
    }
  } catch (cause) {
    const written = Object.keys(files).map((path) => join(folder, path.split('/')[0] ?? path));
    for (const path of created === undefined ? written : [created])
      await rm(path, { recursive: true, force: true });
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandError('failed', `${folder} cannot be written to: ${code}. Nothing was written.`, {
      cause,
    });
  }
}
