import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Resolves with the virtual environment of the generators: PAYHOOKS_CLIENTS_VENV, or the default folder. Rejects if a
 * command is missing, with how to install it.
 */
export async function findTools(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const requirements = readFileSync(join(import.meta.dirname, 'requirements.txt'), 'utf8');
  const [, version] = /^openapi-generator-cli==(\S+)/m.exec(requirements) ?? [];
  const cache = environment['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = environment['PAYHOOKS_CLIENTS_VENV'] || join(cache, 'payhooks', `clients-${version}`);
  const commands = [
    ['java', '-version'],
    ['javac', '-version'],
    ['mvn', '-version'],
    ['go', 'version'],
    [join(folder, 'bin', 'openapi-python-client'), '--version'],
  ];
  const found = await Promise.allSettled(
    commands.map(([command = '', option = '']) => promisify(execFile)(command, [option])),
  );
  const missing = commands
    .filter((_, index) => found[index]?.status === 'rejected')
    .map(([command]) => command);
  if (missing.length === 0) return folder;
  throw new Error(
    `npm run test:clients needs Java 17 with its compiler, Maven, Go 1.19 and the generators of clients; ` +
      `these do not run: ${missing.join(', ')}. Install Debian’s default-jdk-headless, maven and golang-go, and with ` +
      `Python 3.10 or newer the generators, by \`python3 -m venv ${folder} && ` +
      `${folder}/bin/pip install -r test/clients/requirements.txt\`.`,
  );
}
