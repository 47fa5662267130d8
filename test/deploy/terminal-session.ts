import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a person types when the terminal asks for it. */
export interface Reply {
  /** The end of what is on the screen. */
  readonly asked: RegExp;
  readonly typed: string;
}

export interface Ran {
  readonly code: number | null;
  /** Everything that was on the screen, without colours. */
  readonly screen: string;
}

export interface TerminalSession {
  /** Runs commands; variables and functions that they set are there in the next ones, as in one shell. */
  run(commands: string, replies?: readonly Reply[]): Promise<Ran>;
}

interface TerminalSessionOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const blockMilliseconds = 120_000;

/** A bash in front of a person: `script` gives each block a terminal, so that commands ask as they ask people. */
export function openTerminalSession({ folder, environment }: TerminalSessionOptions): TerminalSession {
  const state = join(folder, '.session-state');
  return {
    async run(commands, replies = []) {
      const file = join(folder, '.session-block');
      await writeFile(
        file,
        [
          `[ ! -e ${state} ] || . ${state}`,
          // Every variable is exported, so that all of them are written down at the end.
          'set -aeo pipefail',
          commands,
          `{ export -p; declare -f; } > ${state}`,
        ].join('\n'),
      );
      const child = spawn('script', ['-qefc', `bash ${file}`, '/dev/null'], {
        cwd: folder,
        env: { ...environment, NO_COLOR: '1', TERM: 'dumb' },
        stdio: ['pipe', 'pipe', 'pipe'],
        timeout: blockMilliseconds,
      });
      const left = [...replies];
      let screen = '';
      let answered = 0;
      const take = (chunk: Buffer): void => {
        screen += chunk.toString();
        const at = left.findIndex(({ asked }) => asked.test(screen.slice(answered)));
        const [reply] = at < 0 ? [] : left.splice(at, 1);
        if (reply === undefined) return;
        answered = screen.length;
        child.stdin.write(`${reply.typed}\r`);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.stdin.on('error', () => {});
      const code = await new Promise<number | null>((resolve, reject) => {
        child.on('error', reject).on('close', resolve);
      });
      return { code, screen: plain(screen) };
    },
  };
}

/** Without escape sequences and carriage returns. */
function plain(screen: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what an escape sequence begins with.
  return screen.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '');
}
