import type { Readable } from 'node:stream';

/** Longer lines are cut, so that a function cannot make this process grow. */
const lineCharactersMax = 1024 * 1024;

/**
 * Passes on a stream line by line. Not `node:readline`, which also breaks at U+2028: JSON does not escape it,
 * so a log line may hold one.
 */
export function readLines(stream: Readable, onLine: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > lineCharactersMax) {
      onLine(rest);
      rest = '';
    }
  });
  stream.on('end', () => {
    if (rest !== '') onLine(rest);
  });
}
