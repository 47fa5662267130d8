/**
 * `node test/run-folder/supervisor.ts FOLDER` waits until standard input ends, which it does when the process that
 * holds the other end has ended, even by SIGKILL. Then it ends every process whose TMPDIR is in FOLDER, and
 * removes FOLDER.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const [folder] = process.argv.slice(2);
if (folder === undefined)
  throw new Error('No folder was given. Expected: node test/run-folder/supervisor.ts FOLDER.');
await once(process.stdin.resume(), 'close');
// A process that begins just now is not in the first list.
for (let round = 0; round < 3; round += 1) {
  processesWithin(folder).forEach(kill);
  await pause(100);
}
rmSync(folder, { recursive: true, force: true, maxRetries: 10 });

/** Only Linux shows the environment of a process; elsewhere they end unless their test is killed. */
function processesWithin(path: string): number[] {
  const names = process.platform === 'linux' ? readdirSync('/proc') : [];
  const ids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  return ids.filter((id) => new RegExp(`\0TMPDIR=${path}[/\0]`).test(environmentOf(id)));
}

function environmentOf(id: number): string {
  try {
    return `\0${readFileSync(`/proc/${id}/environ`, 'utf8')}`;
  } catch {
    // It has ended already.
    return '';
  }
}

function kill(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
