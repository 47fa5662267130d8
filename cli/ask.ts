import type { ReadStream } from 'node:tty';
import { secretInputBytesMax } from './limits.ts';
import { CommandError } from './outcome.ts';

/** What a command asks of the person, or the script, in front of it. */
export interface Ask {
  readonly isTerminal: boolean;
  /** Resolves for a yes. Rejects for anything else, and without a terminal unless `--yes` was given. */
  confirm(question: string, options: { readonly yes?: true }): Promise<void>;
  /** One line that is not shown while it is typed. Rejects without a terminal. */
  hidden(prompt: string): Promise<string>;
  /** All of standard input. Rejects above `bytesMax`. */
  input(bytesMax: number): Promise<Buffer>;
}

type Input = Pick<ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'> &
  AsyncIterable<Uint8Array>;

export function createAsk(stdin: Input, stderr: { write(text: string): unknown }): Ask {
  const isTerminal = stdin.isTTY === true;
  const line = async (prompt: string, echo: boolean): Promise<string> => {
    stderr.write(prompt);
    stdin.setRawMode(true);
    try {
      return await readLine(stdin, echo ? (text) => stderr.write(text) : () => {});
    } finally {
      stdin.setRawMode(false);
      stdin.pause();
      stderr.write('\n');
    }
  };
  return {
    isTerminal,
    async confirm(question, { yes }) {
      if (yes) return;
      if (!isTerminal) {
        const how = 'Standard input is no terminal to ask at; run it again with --yes to confirm:';
        throw new CommandError('wrongUsage', `${how}\n${question}`);
      }
      const answer = await line(`${question} [y/N] `, true);
      if (!/^(y|yes)$/i.test(answer.trim())) {
        throw new CommandError('wrongUsage', 'Not confirmed; nothing was changed.');
      }
    },
    async hidden(prompt) {
      if (!isTerminal) throw new CommandError('wrongUsage', 'Standard input is no terminal to ask at.');
      return line(prompt, false);
    },
    async input(bytesMax) {
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

/** In raw mode the terminal edits nothing and sends Ctrl-C as a character. */
async function readLine(stdin: Input, echo: (text: string) => void): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed = '';
  const take = (chunk: Uint8Array): void => {
    for (const character of Buffer.from(chunk).toString('utf8')) {
      if (character === '\r' || character === '\n') resolve(typed);
      // Ctrl-C and Ctrl-D.
      if (character === '\u0003' || character === '\u0004') {
        reject(new CommandError('wrongUsage', 'Not confirmed; nothing was changed.'));
      }
      if (character === '\u007f' || character === '\b') {
        if (typed !== '') echo('\b \b');
        typed = typed.slice(0, -1);
      } else if (character >= ' ' && typed.length < secretInputBytesMax) {
        typed += character;
        echo(character);
      }
    }
  };
  const end = (): void => reject(new CommandError('wrongUsage', 'Standard input has ended.'));
  stdin.on('data', take).on('end', end);
  stdin.resume();
  try {
    return await promise;
  } finally {
    stdin.off('data', take).off('end', end);
  }
}
