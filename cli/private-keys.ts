import { type Mode, privateKeyPattern } from '../lambdas/domain/signature.ts';
import { type KeyRow, readEntries, rowOf } from '../operator/keys.ts';
import { secretInputBytesMax } from '../operator/limits.ts';
import { CommandError } from '../operator/operator-error.ts';
import type { Stack } from '../operator/stack/stack.ts';
import { privateKeyVariable, type Session, variable } from './session.ts';

/** A key, what may be shown of it, and where it is from. The text is only for signing. */
export interface NamedKey extends KeyRow {
  readonly text: string;
  readonly from: 'the stack' | 'the environment';
}

/** The keys in the secret of the stack, in its order. */
export async function stackKeys({ now }: Session, stack: Stack): Promise<readonly NamedKey[]> {
  const entries = await readEntries(stack);
  return entries.map((entry) => ({ ...rowOf(entry, now()), text: entry.key, from: 'the stack' }));
}

/** The key in `PAYHOOKS_PRIVATE_KEY`, if it is set. */
export async function environmentKey(session: Session): Promise<NamedKey | undefined> {
  if (variable(session, privateKeyVariable) === undefined) return undefined;
  const key = await readPrivateKey(session, { prompt: '' });
  return { ...rowOf({ key }, session.now()), text: key, from: 'the environment' };
}

/** The key to sign with: the first accepted one of the mode, a current one before one that ends. */
export function signingKeyOf(keys: readonly NamedKey[], mode: Mode): NamedKey | undefined {
  const usable = keys.filter((key) => key.mode === mode && key.state !== 'expired');
  return usable.find(({ state }) => state === 'current') ?? usable[0];
}

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
