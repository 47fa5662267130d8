import { createHash } from 'node:crypto';

/** Everything that happens in a world, line by line; two runs are equal when their hashes are. */
export interface Trace {
  add(at: number, text: string): void;
  /** The SHA-256 of all lines. */
  hash(): string;
}

export function createTrace(onLine: (line: string) => void = () => {}): Trace {
  const hash = createHash('sha256');
  return {
    add(at, text) {
      const line = `${new Date(at).toISOString()} ${text}`;
      hash.update(`${line}\n`);
      onLine(line);
    },
    hash: () => hash.copy().digest('hex'),
  };
}
