import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The code that a deployment of today replaces: of 0.3.0 before rows and facts got their second format. It is
 * in the history of this repository.
 */
const commit = '452f6767ca44';

const repository = join(import.meta.dirname, '..', '..', '..');

/**
 * The folder with the old `lambdas`, checked out next to the packages that they import; `undefined` where the
 * history of the repository is missing, such as in an archive of its files.
 */
export function oldSource(): string | undefined {
  const folder = join(repository, 'node_modules', '.cache', 'payhooks-simulation', commit);
  if (existsSync(join(folder, 'lambdas'))) return folder;
  try {
    const archive = execFileSync('git', ['archive', commit, 'lambdas'], {
      ...{ cwd: repository, maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] },
    });
    mkdirSync(folder, { recursive: true });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return folder;
  } catch {
    return undefined;
  }
}
