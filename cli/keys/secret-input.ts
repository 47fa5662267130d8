import { privateKeyPattern } from '../../lambdas/domain/signature.ts';
import { CommandError } from '../command-error.ts';
import { secretInputBytesMax } from '../limits.ts';
import { privateKeyVariable } from '../payment-service.ts';
import { type Session, variable } from '../session.ts';

/** A private key from standard input, from the environment, or from a prompt that does not show it. */
export async function readPrivateKey(
  session: Session,
  { stdin, prompt }: { readonly stdin?: true; readonly prompt: string },
): Promise<string> {
  const key = (await readText(session, { stdin, prompt })).trim();
  if (privateKeyPattern.test(key)) return key;
  const form = 'pri_ and then up to 500 characters of printable ASCII without spaces, on one line';
  throw new CommandError('wrongUsage', `What was given is no private key; it has the form ${form}.`);
}

async function readText(
  session: Session,
  { stdin, prompt }: { readonly stdin: true | undefined; readonly prompt: string },
): Promise<string> {
  if (stdin) return (await session.input.readAll(secretInputBytesMax)).toString('utf8');
  const given = variable(session, privateKeyVariable);
  if (given !== undefined) return given;
  if (session.input.isTerminal) return session.input.secret(prompt);
  throw new CommandError(
    'wrongUsage',
    `There is no key: give it on standard input with --stdin, or in ${privateKeyVariable}.`,
  );
}

/**
 * Every user of the machine sees the arguments of a process, and a shell keeps them in its history. So a key
 * among them is refused before anything is done, and not quoted.
 */
export function refuseKeyArguments(argv: readonly string[]): void {
  const position = argv.findIndex((argument) => /^(-[^=]*=)?["']?pri_./.test(argument));
  if (position === -1) return;
  throw new CommandError(
    'wrongUsage',
    `Argument ${position + 1} looks like a private key. A key on the command line is seen by every user of ` +
      'the machine and kept in the history of the shell: take it as known to others, and rotate it. Give ' +
      'keys ' +
      `at the prompt, on standard input with --stdin, or in ${privateKeyVariable}.`,
  );
}
