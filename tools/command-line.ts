/** What the commands of this folder have in common: flags, and what a wrong one prints. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** A wrong flag: the message names what was given and what is expected. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
}

export function readFlags<const Flags extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Flags,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

export function readWholeNumber(flag: string, given: string | undefined, max: number): number | undefined {
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= 1 && number <= max) return number;
  throw new OptionError(`${flag} is ${JSON.stringify(given)}; expected a whole number from 1 to ${max}.`);
}

/** Ends the process with the exit code of the command, and with 2 and the usage after a wrong flag. */
export async function runCommand(
  usage: string,
  command: (args: readonly string[]) => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    process.stderr.write(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  }
}
