import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What is typed when a prompt ends the screen. */
export interface Reply {
  readonly prompt: RegExp;
  readonly typed: string;
}

export interface Ran {
  readonly code: number | null;
  /** Everything that was on the screen, without colours. */
  readonly screen: string;
}

export interface TerminalSession {
  /** Runs commands. Variables, functions and the folder that they set stay for the next ones. */
  run(commands: string, replies?: readonly Reply[]): Promise<Ran>;
}

interface TerminalSessionOptions {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A deployment takes one minute on an idle machine. */
const blockMilliseconds = 400_000;

/** A bash whose commands have a terminal, which `script` gives them, so that they prompt. */
export function openTerminalSession({ folder, environment }: TerminalSessionOptions): TerminalSession {
  const state = join(folder, '.session-state');
  return {
    async run(commands, replies = []) {
      const file = join(folder, '.session-block');
      // `set -a` exports every variable, so that `export -p` saves all of them.
      // Without a width, CDK writes its progress one letter to a line.
      const block = [
        'stty cols 160',
        `[ ! -e ${state} ] || { . ${state} && cd "$PWD"; }`,
        'set -aeo pipefail',
        commands,
      ];
      await writeFile(file, [...block, `{ export -p; declare -f; } > ${state}`].join('\n'));
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
        const at = left.findIndex(({ prompt }) => prompt.test(screen.slice(answered)));
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
