import type { Waits } from '../operator/limits.ts';
import type { Input } from './input.ts';
import type { Terminal } from './terminal.ts';

/** What a command line uses of the process that it runs in. */
export interface Process {
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: Terminal;
  readonly input: Input;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Where to look for local mode when neither `--stack` nor `--local` is given. */
  readonly defaultLocalUrl: string;
  readonly waits: Waits;
}

export interface Session extends Process {
  /** The command line as it was typed, without the program's own name. It holds no key. */
  readonly argv: readonly string[];
}

/** The options that every command takes. */
export interface CommonOptions {
  readonly stack?: string;
  /** `true` without an address. */
  readonly local?: string | true;
  readonly json?: true;
  readonly yes?: true;
}

export const privateKeyVariable = 'PAYHOOKS_PRIVATE_KEY';

/** The value of a variable; an empty one counts as not set. */
export const variable = ({ env }: Session, name: string): string | undefined => env[name] || undefined;
