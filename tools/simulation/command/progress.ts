const barWidth = 40;
/** Without a terminal a line is printed for each of so many parts. */
const linesMax = 10;

export interface Progress {
  add(): void;
  /** Removes the bar, so that something else can be printed in its place. */
  clear(): void;
}

/** A bar on a terminal, a few plain lines elsewhere. */
export function createProgress(total: number, output: NodeJS.WriteStream): Progress {
  const every = Math.ceil(total / linesMax);
  let done = 0;
  return {
    add() {
      done += 1;
      if (output.isTTY) {
        const filled = Math.round((done / total) * barWidth);
        output.write(`\r[${'='.repeat(filled)}${' '.repeat(barWidth - filled)}] ${done} of ${total} seeds`);
      } else if (done % every === 0 || done === total) {
        output.write(`${done} of ${total} seeds\n`);
      }
    },
    clear() {
      if (output.isTTY) output.write('\r\x1b[K');
    },
  };
}
