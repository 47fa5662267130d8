import type { Command, Option } from 'commander';

/** A command, and what may follow it. */
export interface CommandWords {
  /** Such as `payhooks keys list`. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionWords[];
  /** The values of its first argument, if it has a fixed set. */
  readonly choices: readonly string[];
}

export interface OptionWords {
  /** With its dashes. */
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** The program and every command below it; a command with an alias appears once for each of its names. */
export function commandWords(program: Command): readonly CommandWords[] {
  return wordsOf(program, [program.name()]);
}

function wordsOf(command: Command, paths: readonly string[]): CommandWords[] {
  const { commands, registeredArguments } = command;
  const help = command.createHelp();
  const visible = help.visibleOptions(command).filter(({ long }) => long !== undefined);
  const subcommands = commands.map((one) => ({ name: one.name(), description: one.description() }));
  const choices = registeredArguments[0]?.argChoices ?? [];
  const own = paths.map((path) => ({ path, subcommands, options: visible.map(optionWords), choices }));
  const below = commands.flatMap((one) => {
    const names = [one.name(), ...one.aliases()];
    return wordsOf(
      one,
      paths.flatMap((path) => names.map((name) => `${path} ${name}`)),
    );
  });
  return [...own, ...below];
}

function optionWords({ long, description, required, optional, argChoices = [] }: Option): OptionWords {
  return { long: long ?? '', description, takesValue: required || optional, choices: argChoices };
}
