import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** From `requirements.txt`, the one place where it is set. */
const ministackVersion = readVersion();

/** What is missing before MiniStack can run, and the commands that mend it. */
class MissingMiniStackError extends Error {
  override readonly name = 'MissingMiniStackError';
}

/**
 * The virtual environment that holds MiniStack and the AWS CLI: PAYHOOKS_MINISTACK_VENV, or the default folder.
 * Throws a `MissingMiniStackError` when there is none, or when it lacks one of them or holds another version.
 */
export async function findMiniStack(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder =
    environment['PAYHOOKS_MINISTACK_VENV'] || join(cache, 'payhooks', `ministack-${ministackVersion}`);
  const found = existsSync(join(folder, 'bin', 'ministack')) ? await versionIn(folder) : 'nothing';
  const hasCli = existsSync(join(folder, 'bin', 'aws'));
  if (found === ministackVersion && hasCli) return folder;
  throw new MissingMiniStackError(
    `npm run test:deploy needs MiniStack ${ministackVersion} and the AWS CLI in ${folder} and found ` +
      `${found}${hasCli || found === 'nothing' ? '' : ', without the AWS CLI'}; ` +
      `with Python 3.10 or newer, install it by \`python3 -m venv ${folder} && ` +
      `${folder}/bin/pip install -r test/deploy/requirements.txt\`.`,
  );
}

async function versionIn(folder: string): Promise<string> {
  const program = "import importlib.metadata as metadata; print(metadata.version('ministack'))";
  const ask = promisify(execFile)(join(folder, 'bin', 'python'), ['-c', program]);
  return ask.then(
    ({ stdout }) => stdout.trim(),
    () => 'an environment that does not start',
  );
}

function readVersion(): string {
  const requirements = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8');
  const [, version] = /^ministack==(\S+)$/m.exec(requirements) ?? [];
  if (version === undefined) throw new Error('requirements.txt pins no version of ministack.');
  return version;
}
