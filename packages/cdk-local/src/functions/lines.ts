import type { Readable } from 'node:stream';

/** A line longer than this is cut into several, so that a function cannot make this process grow. */
const lineCharactersMax = 1024 * 1024;

/**
 * Hands over a stream line by line. Not `node:readline`: that also breaks at U+2028, which JSON leaves as it
 * is, and would cut a log line about an order id that holds one.
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
