/** Longer lines are cut, so that a function cannot make this process grow. */
const lineCharactersMax = 1024 * 1024;

/**
 * Passes on text line by line. Not `node:readline`, which also breaks at U+2028: JSON does not escape it, so
 * a log line may hold one.
 */
export function createLineReader(onLine: (line: string) => void) {
  let rest = '';
  return {
    add(text: string): void {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
      if (rest.length > lineCharactersMax) this.end();
    },
    /** Passes on the last line, which need not end. */
    end(): void {
      if (rest !== '') onLine(rest);
      rest = '';
    },
  };
}
