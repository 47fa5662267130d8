import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from './command-error.ts';
import type { Session } from './session.ts';

/** What a command needs to add itself to the program. */
export interface CommandSetup {
  readonly program: Command;
  readonly session: Session;
  /** Sets the exit code of the command. */
  readonly end: (exitCode: ExitCode) => void;
}

/** The options that every command takes. */
export function addCommonOptions(command: Command): Command {
  return command
    .addOption(new Option('--stack <name>', 'a stack deployed in AWS').conflicts('local'))
    .addOption(new Option('--local [url]', 'local mode (default address: http://127.0.0.1:4800)'))
    .option('--json', 'prints JSON and nothing else');
}

export const addConfirmation = (command: Command): Command =>
  command.option('-y, --yes', 'changes things without asking first');

export const examplesOf = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  payhooks ${line}`).join('\n')}\n`;

/** Event names, separated by commas. */
export function readEvents(given: string): readonly string[] {
  const names = given.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '') && new Set(names).size === names.length) return names;
  throw new InvalidArgumentError('Expected event names separated by commas, each once.');
}

/** A whole number from 1. */
export const readCount =
  (max: number) =>
  (given: string): number => {
    if (/^[1-9]\d{0,8}$/.test(given) && Number(given) <= max) return Number(given);
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
