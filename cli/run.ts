import { CommanderError } from 'commander';
import { CommandError, type ExitCode, exitCodes } from '../operator/operator-error.ts';
import type { Stack } from '../operator/stack/stack.ts';
import { createProgram, usageMessage } from './program.ts';
import { type Process, privateKeyVariable, type Session } from './session.ts';
import { withFixedTimes } from './times.ts';

/** Runs one command line, without the program's own name. Never rejects. */
export async function run(argv: readonly string[], process: Process): Promise<ExitCode> {
  let stack: Promise<Stack> | undefined;
  const session: Session = {
    ...process,
    argv: withFixedTimes(argv, process.now()),
    stack(options) {
      stack ??= import('./target/target.ts').then(({ findStack }) => findStack(process, options));
      return stack;
    },
  };
  const { terminal } = process;
  const json = argv.includes('--json');
  const words = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  let result: ExitCode = exitCodes.done;
  try {
    refuseKeyArguments(argv);
    const program = await createProgram(
      words,
      (work) =>
        async (...given) => {
          result = await work(session, ...given);
        },
      terminal,
    );
    await program.parseAsync([...words], { from: 'user' });
    return result;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    // Commander has printed the help of the incomplete command.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.wrongUsage;
    return report(session, await explain(error, session), { json });
  }
}

async function explain(error: unknown, { env }: Session): Promise<CommandError> {
  if (error instanceof CommanderError) return new CommandError('wrongUsage', usageMessage(error));
  // It knows the errors of every API, whose clients take long to load.
  const { explainError } = await import('../operator/explain-error.ts');
  return explainError(error, env);
}

function report(
  { terminal }: Session,
  { message, failure, exitCode }: CommandError,
  { json }: { readonly json: boolean },
): ExitCode {
  const type = failure.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (json) terminal.note(JSON.stringify({ error: { type, message, exit_code: exitCode } }));
  else terminal.note(`error: ${message}`);
  return exitCode;
}

/**
 * Refuses a key among the arguments before anything else happens, and does not quote it. Local mode takes
 * keys of its own.
 */
function refuseKeyArguments(argv: readonly string[]): void {
  if (argv[0] === 'dev') return;
  const position = argv.findIndex((argument) => /^(-[^=]*=)?["']?pri_./.test(argument));
  if (position === -1) return;
  throw new CommandError(
    'wrongUsage',
    `Argument ${position + 1} looks like a private key. Every user of the machine can see a key on the ` +
      'command line, and the shell keeps it in its history: treat it as leaked, and rotate it. Pass keys ' +
      `at the prompt, on standard input with --stdin, or in ${privateKeyVariable}.`,
  );
}
