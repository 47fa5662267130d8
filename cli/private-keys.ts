import { privateKeyPattern } from '../lambdas/domain/signature.ts';
import { secretInputBytesMax } from '../operator/limits.ts';
import { CommandError } from '../operator/operator-error.ts';
import { readGivenFile } from './input.ts';
import { privateKeyVariable, type Session, variable } from './session.ts';

interface KeySource {
  readonly stdin?: true;
  readonly keyFile?: string;
  readonly prompt: string;
}

/** A private key from standard input, a file, the environment, or a prompt that does not show it. */
export async function readPrivateKey(session: Session, source: KeySource): Promise<string> {
  const key = (await readText(session, source)).trim();
  if (privateKeyPattern.test(key)) return key;
  const form = 'pri_ and up to 500 characters of printable ASCII without spaces';
  const isSet = variable(session, privateKeyVariable) !== undefined;
  const origin = source.stdin ? 'Standard input' : source.keyFile;
  const given = origin ?? (isSet ? privateKeyVariable : 'The given value');
  throw new CommandError('wrongUsage', `${given} is not a private key; expected ${form}.`);
}

async function readText(session: Session, { stdin, keyFile, prompt }: KeySource): Promise<string> {
  const { input } = session;
  if (stdin) return (await input.readAll(secretInputBytesMax)).toString('utf8');
  if (keyFile !== undefined) return (await readGivenFile(keyFile, secretInputBytesMax)).toString('utf8');
  const given = variable(session, privateKeyVariable);
  if (given !== undefined) return given;
  if (input.isTerminal) return input.secret(prompt);
  throw new CommandError(
    'wrongUsage',
    `No key was given: pass it on standard input with --stdin, or in ${privateKeyVariable}.`,
  );
}
