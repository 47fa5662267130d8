import { type ExitCode, exitCodes } from '../operator/operator-error.ts';
import type { CommonOptions, Session } from './session.ts';

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
