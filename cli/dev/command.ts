import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandError, type ExitCode } from '../../operator/operator-error.ts';
import type { CommandSetup } from '../options.ts';
import type { Session } from '../session.ts';

/** Local mode reads its flags itself, also --help. */
export function define({ command, action }: CommandSetup): void {
  command.helpOption(false).allowUnknownOption().allowExcessArguments().action(action(runLocalMode));
}

interface LocalModule {
  runLocalMode(given: { argv: readonly string[]; command: string; project: string }): Promise<ExitCode>;
}

async function runLocalMode({ argv }: Session): Promise<ExitCode> {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < 24)
    throw new CommandError('failed', `Local mode needs Node 24 or newer; this is Node ${node}.`);
  const project = process.cwd();
  const local: LocalModule = await import(pathToFileURL(findLocalMode(project)).href);
  const flags = argv[0] === 'help' ? ['--help'] : argv.slice(argv.indexOf('dev') + 1);
  return local.runLocalMode({ argv: flags, command: 'payhooks dev', project });
}

/** In the repository of payhooks. */
const sources = join(import.meta.dirname, '../../local/start.ts');

/** A package of its own, because of its emulators: a deployment needs none. */
function findLocalMode(project: string): string {
  try {
    return createRequire(join(project, 'package.json')).resolve('@payhooks/local');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw cause;
    if (existsSync(sources)) return sources;
    const message = `${project} has no local mode. Install it with: npm install --save-dev @payhooks/local`;
    throw new CommandError('failed', message, { cause });
  }
}
