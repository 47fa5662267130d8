import type { LoadOptions } from './options.ts';
import type { Sample } from './run.ts';

/** Without a terminal a line is printed for each of so many parts of the load. */
const linesMax = 20;

export interface Progress {
  show(sample: Sample): void;
  end(): void;
}

/** One line that changes on a terminal, some plain lines elsewhere. */
export function createProgress(
  { seconds, webhooks }: Pick<LoadOptions, 'seconds' | 'webhooks'>,
  output: NodeJS.WriteStream,
): Progress {
  const phase = (at: number): string => {
    if (webhooks !== undefined) return `${at.toFixed(0)} s`;
    return at < seconds
      ? `${at.toFixed(0)} of ${seconds} s`
      : `${(at - seconds).toFixed(0)} s after the load`;
  };
  let next = 0;
  return {
    show({ at, acknowledged, waiting, memoryBytes }) {
      const megabytes = (memoryBytes / 1e6).toFixed(0);
      const line = `${phase(at)}: ${acknowledged} acknowledged, ${waiting} waiting, ${megabytes} MB`;
      if (output.isTTY) {
        output.write(`\r\x1b[K${line}`);
      } else if (at >= next) {
        output.write(`${line}\n`);
        next = at + seconds / linesMax;
      }
    },
    end() {
      if (output.isTTY) output.write('\r\x1b[K');
    },
  };
}
