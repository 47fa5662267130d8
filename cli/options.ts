import { type Command, InvalidArgumentError, Option } from 'commander';
import { readInstant } from '../lambdas/contract/instant.ts';
import type { Mode } from '../lambdas/domain/signature.ts';
import type { ExitCode } from '../operator/operator-error.ts';
import type { Session } from './session.ts';

/** What a command needs to add its options and subcommands. */
export interface CommandSetup {
  readonly command: Command;
  /** An action that sets the exit code. */
  readonly action: <Given extends unknown[]>(
    work: (session: Session, ...given: Given) => Promise<ExitCode>,
  ) => (...given: Given) => Promise<void>;
}

/** The mode that the option `--sandbox` chooses. */
export const chosenMode = ({ sandbox }: { readonly sandbox?: true | undefined }): Mode =>
  sandbox ? 'sandbox' : 'live';

export const sandboxOption = () => new Option('--sandbox', 'in the sandbox instead of live');

export const yesOption = new Option('-y, --yes', 'do not ask for confirmation');

/** Adds the options that every command takes, after those of its own. */
export function addCommonOptions(command: Command): void {
  for (const subcommand of command.commands) addCommonOptions(subcommand);
  if (command.commands.length > 0) return;
  command
    .addOption(
      new Option(
        '--stack <name>',
        'use this stack in AWS; STACK/ID for one of several deployments in it',
      ).conflicts('local'),
    )
    .option('--local [url]', 'use local mode (default address: http://127.0.0.1:4800)')
    .option('--json', 'print JSON and nothing else');
}

export const examplesOf = (...lines: readonly string[]): string =>
  `\nExamples:\n${lines.map((line) => `  payhooks ${line}`).join('\n')}\n`;

/** Reads the value of an option; Commander prints the value when `read` finds none in it. */
export const expecting =
  <Value>(expected: string, read: (given: string) => Value | undefined) =>
  (given: string): Value => {
    const value = read(given);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };

/** A whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  expecting(`a whole number from ${min} to ${max}`, (given) =>
    /^(0|[1-9]\d{0,8})$/.test(given) && Number(given) >= min && Number(given) <= max
      ? Number(given)
      : undefined,
  );

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that have a value, such as those of the options that were given. */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;

export const eventNames = expecting('event names separated by commas, each once', (given) => {
  const names = given.split(',').map((name) => name.trim());
  return names.includes('') || new Set(names).size < names.length ? undefined : names;
});

export const httpUrl = expecting('an http or https URL', (given) =>
  /^https?:$/.test(URL.parse(given)?.protocol ?? '') ? given : undefined,
);

const instant = expecting('ISO 8601 with a zone, such as 2026-12-01T00:00:00Z', readInstant);

/** Milliseconds since the epoch. */
export const isoTime = (given: string): number => Date.parse(instant(given));

export const sha256 = expecting('64 lowercase hexadecimal digits', (given) =>
  /^[0-9a-f]{64}$/.test(given) ? given : undefined,
);
