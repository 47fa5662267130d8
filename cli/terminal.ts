import { styleText } from 'node:util';
import { progressNoteMilliseconds } from '../operator/limits.ts';
import { printable, screenCharacters, wrapped } from '../operator/printable.ts';

type Format = 'green' | 'red' | 'yellow' | 'bold';

/** Where a command writes: results to standard output, everything else to standard error. */
export interface Terminal {
  print(line: string): void;
  json(value: unknown): void;
  /** Columns as wide as their widest cell. A cell may hold text from outside. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
  /** A line on standard error. */
  note(line: string): void;
  /** Shows what takes long; the next output replaces it. Without a terminal, a line now and then. */
  progress(line: string): void;
  /** Whether a person reads the output, and not a program. */
  readonly isScreen: boolean;
  /** How long a line of text is. */
  readonly columns: number;
  /** Whether a person sees `progress` at once. */
  readonly showsProgress: boolean;
  /** Colours, unless standard output is not a terminal or NO_COLOR is set. */
  style(format: Format, text: string): string;
}

const eraseLine = '\r\u001b[2K';

export function createTerminal(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Terminal {
  let hasProgress = false;
  let noted = performance.now();
  // A reader that has seen enough, such as `head`, closes the pipe; that is not an error.
  for (const stream of [stdout, stderr]) stream.on('error', () => {});
  const clear = (): void => {
    if (hasProgress) stderr.write(eraseLine);
    hasProgress = false;
  };
  const print = (line: string): void => {
    clear();
    stdout.write(`${line}\n`);
  };
  const isScreen = stdout.isTTY === true;
  // A program gets whole ids.
  const cellCharactersMax = isScreen ? 200 : Number.POSITIVE_INFINITY;
  const style = (format: Format, text: string): string => styleText(format, text, { stream: stdout });
  return {
    print,
    json: (value) => print(JSON.stringify(value, null, 2)),
    table(head, rows) {
      const cells = rows.map((row) => row.map((cell) => printable(cell, cellCharactersMax)));
      const widths = head.map((title, column) =>
        Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)),
      );
      const line = (row: readonly string[]): string =>
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd();
      print(style('bold', line(head)));
      for (const row of cells) print(line(row));
    },
    note(text) {
      clear();
      stderr.write(`${text}\n`);
    },
    progress(text) {
      hasProgress = stderr.isTTY === true;
      // A line that wraps could not be erased.
      if (hasProgress) stderr.write(`${eraseLine}${text.slice(0, (stderr.columns || screenCharacters) - 1)}`);
      else if (performance.now() - noted >= progressNoteMilliseconds) {
        stderr.write(`${text}\n`);
        noted = performance.now();
      }
    },
    isScreen,
    columns: Math.min((isScreen && stdout.columns) || screenCharacters, screenCharacters),
    showsProgress: stderr.isTTY === true,
    style,
  };
}

/** An id from outside: on a screen it may be cut, a program gets the whole. */
export const idText = ({ isScreen }: Pick<Terminal, 'isScreen'>, id: string, charactersMax = 60): string =>
  printable(id, isScreen ? charactersMax : Number.POSITIVE_INFINITY);

/** A sentence, in lines that fit a screen. */
export function printWrapped(terminal: Terminal, text: string, format?: Format): void {
  for (const line of wrapped(text, terminal.columns))
    terminal.print(format === undefined ? line : terminal.style(format, line));
}

/** A body from outside: its JSON indented, any other text as it is. */
export function printBody({ print }: Terminal, body: Uint8Array): void {
  let text = Buffer.from(body).toString('utf8');
  try {
    text = JSON.stringify(JSON.parse(text), null, 2);
  } catch {}
  for (const line of ['', ...text.split('\n')]) print(printable(line, Number.POSITIVE_INFINITY));
}
