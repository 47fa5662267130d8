import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { run } from '../../cli/run.ts';
import { createTerminal } from '../../cli/terminal.ts';
import type { Typing } from '../../local/scenarios/scenario.ts';
import { waits } from '../../operator/limits.ts';

interface OperatorParts {
  readonly baseUrl: string;
  /** Milliseconds since the epoch, by the clock of the alarms. */
  readonly now: () => number;
  readonly say: (line: string) => void;
}

/** A person who types commands at local mode, and says yes when one asks. */
export function createOperator({ baseUrl, now, say }: OperatorParts) {
  /** Runs a command line as the CLI does, and shows it with its output, with which it resolves. */
  return async function type(command: string, typing: Typing = {}): Promise<string> {
    const { env = {}, secret = '', line: typed = '', exitCode: expected = 0 } = typing;
    say(`$ npx ${command}`);
    const lines: string[] = [];
    const write = createLines((line) => {
      lines.push(line);
      say(line);
    });
    const words = splitWords(command).slice(1);
    const exitCode = await run(words, {
      env: { ...env, NO_COLOR: '1' },
      terminal: createTerminal(write(), write()),
      input: {
        isTerminal: true,
        confirm: async (question) => say(`${question} [y/N] y`),
        async line(prompt) {
          say(`${prompt}${typed}`);
          return typed;
        },
        secret: async () => secret,
        readAll: async () => Buffer.from(secret),
      },
      // Tokens expire by the clock of this machine.
      now: words[0] === 'status' ? now : Date.now,
      defaultLocalUrl: baseUrl,
      waits,
    });
    assert(exitCode === expected, `The exit code of ${command} was ${exitCode}, not ${expected}.`);
    return lines.join('\n');
  };
}

/** Words of a shell command; only double quotes are special. */
function splitWords(command: string): string[] {
  const words = command.match(/"[^"]*"|\S+/g) ?? [];
  assert(!/['$`|;&<>]/.test(command), `${command}: only plain words can be typed here.`);
  return words.map((word) => word.replace(/^"(.*)"$/, '$1'));
}

/** A stream that passes on each line as soon as it is written. */
function createLines(onLine: (line: string) => void): () => NodeJS.WriteStream {
  return function open() {
    const stream = new PassThrough();
    stream.write = ((chunk: string) => {
      for (const line of chunk.replace(/\n$/, '').split('\n')) onLine(line);
      return true;
    }) as typeof stream.write;
    return stream as unknown as NodeJS.WriteStream;
  };
}
