import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { CommandError } from '../operator/operator-error.ts';

/** What a command reads from the person or the script that started it. */
export interface Input {
  readonly isTerminal: boolean;
  /** Resolves for a yes. Rejects for anything else, and without a terminal unless `--yes` was given. */
  confirm(question: string, options: { readonly yes?: true }): Promise<void>;
  /** One line. Rejects without a terminal. */
  line(prompt: string): Promise<string>;
  /** One line that is not shown while it is typed. Rejects without a terminal. */
  secret(prompt: string): Promise<string>;
  /** All of standard input. Rejects above `bytesMax`. */
  readAll(bytesMax: number): Promise<Buffer>;
}

const notConfirmed = (): CommandError =>
  new CommandError('wrongUsage', 'Not confirmed; nothing was changed.');

export function createInput(stdin: ReadStream, stderr: { write(text: string): unknown }): Input {
  const isTerminal = stdin.isTTY === true;

  /** Ctrl-C and Ctrl-D close the interface, and with it the prompt. */
  async function readLine(prompt: string, { isHidden }: { readonly isHidden: boolean }): Promise<string> {
    let isMuted = false;
    const output = new Writable({
      write(chunk, _encoding, done) {
        if (!isMuted) stderr.write(String(chunk));
        done();
      },
    });
    const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
    const { promise: closed, reject } = Promise.withResolvers<never>();
    lines.on('SIGINT', () => lines.close()).on('close', () => reject(notConfirmed()));
    let line: string | undefined;
    try {
      const typed = lines.question(prompt);
      isMuted = isHidden;
      line = await Promise.race([typed, closed]);
      return line;
    } finally {
      lines.close();
      if (isHidden || line === undefined) stderr.write('\n');
    }
  }

  async function prompted(prompt: string, options: { readonly isHidden: boolean }): Promise<string> {
    if (!isTerminal) throw new CommandError('wrongUsage', 'Standard input is not a terminal.');
    return readLine(prompt, options);
  }

  return {
    isTerminal,
    async confirm(question, { yes }) {
      if (yes) return;
      if (!isTerminal) {
        const reason = 'Standard input is not a terminal. Run the command again with --yes to confirm:';
        throw new CommandError('wrongUsage', `${reason}\n${question}`);
      }
      const reply = await readLine(`${question} [y/N] `, { isHidden: false });
      if (!/^(y|yes)$/i.test(reply.trim())) throw notConfirmed();
    },
    line: (prompt) => prompted(prompt, { isHidden: false }),
    secret: (prompt) => prompted(prompt, { isHidden: true }),
    async readAll(bytesMax) {
      const chunks: Uint8Array[] = [];
      let bytes = 0;
      for await (const chunk of stdin) {
        bytes += chunk.byteLength;
        if (bytes > bytesMax)
          throw new CommandError('wrongUsage', `Standard input holds more than ${bytesMax} bytes.`);
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    },
  };
}

/** The bytes of a file; `-` is standard input. */
export async function readBody(
  { input }: { readonly input: Input },
  path: string,
  bytesMax: number,
): Promise<Buffer> {
  return path === '-' ? input.readAll(bytesMax) : readGivenFile(path, bytesMax);
}

/** The bytes of a file that an option names. Rejects with the reason when it cannot be read. */
export async function readGivenFile(path: string, bytesMax: number): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > bytesMax) throw new CommandError('wrongUsage', `${path} has more than ${bytesMax} bytes.`);
    return await file.readFile();
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const reasons: Record<string, string> = { ENOENT: 'it does not exist', EISDIR: 'it is a directory' };
    const reason = reasons[code ?? ''] ?? String(code);
    throw new CommandError('wrongUsage', `The file ${path} cannot be read: ${reason}.`, { cause });
  }
}
