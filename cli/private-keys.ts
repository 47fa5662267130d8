import { privateKeyPattern } from '../lambdas/domain/signature.ts';
import { secretInputBytesMax } from '../operator/limits.ts';
import { CommandError } from '../operator/operator-error.ts';
import { privateKeyVariable, type Session, variable } from './session.ts';

interface KeySource {
  readonly stdin?: true;
  readonly prompt: string;
}

/** A private key from standard input, the environment, or a prompt that does not show it. */
export async function readPrivateKey(session: Session, source: KeySource): Promise<string> {
  const key = (await readText(session, source)).trim();
  if (privateKeyPattern.test(key)) return key;
  const form = 'pri_ and up to 500 characters of printable ASCII without spaces';
  const isSet = variable(session, privateKeyVariable) !== undefined;
  const given = source.stdin ? 'Standard input' : isSet ? privateKeyVariable : 'The given value';
  throw new CommandError('wrongUsage', `${given} is not a private key; expected ${form}.`);
}

async function readText(session: Session, { stdin, prompt }: KeySource): Promise<string> {
  const { input } = session;
  if (stdin) return (await input.readAll(secretInputBytesMax)).toString('utf8');
  const given = variable(session, privateKeyVariable);
  if (given !== undefined) return given;
  if (input.isTerminal) return input.secret(prompt);
  throw new CommandError(
    'wrongUsage',
    `No key was given: pass it on standard input with --stdin, or in ${privateKeyVariable}.`,
  );
}
