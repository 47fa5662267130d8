import type { Waits } from '../operator/limits.ts';
import { type ExitCode, exitCodes } from '../operator/operator-error.ts';
import type { Stack } from '../operator/stack/stack.ts';
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
  /** The command line as it was typed, but for times in words, without the program's own name or a key. */
  readonly argv: readonly string[];
  /** The stack that the command works on. It is looked up and printed when the command first needs it. */
  readonly stack: (options: CommonOptions) => Promise<Stack>;
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
export const stackVariable = 'PAYHOOKS_STACK';

/** The value of a variable; an empty one counts as not set. */
export const variable = ({ env }: Pick<Process, 'env'>, name: string): string | undefined =>
  env[name] || undefined;

/** What a command has found. */
export interface Report {
  /** What `--json` prints. */
  readonly document: unknown;
  /** Prints the same for a person. */
  readonly print: () => void;
  /** `done` by default. */
  readonly exitCode?: ExitCode | undefined;
}

/** Prints a report in the form that the options request. Returns its exit code. */
export function show({ terminal }: Session, { json }: CommonOptions, report: Report): ExitCode {
  if (json) terminal.json(report.document);
  else report.print();
  return report.exitCode ?? exitCodes.done;
}
