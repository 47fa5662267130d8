import { parseKeySecret } from '../../lambdas/contract/key-secret.ts';
import type { Mode } from '../../lambdas/domain/signature.ts';
import { privateKeyVariable } from '../payment-service.ts';
import { type Session, variable } from '../session.ts';
import { outputOf } from '../target/stack.ts';
import type { Target } from '../target/target.ts';
import { type KeyRow, rowOf } from './key-rotation.ts';
import { readPrivateKey } from './secret-input.ts';

/** A key with what may be shown of it, and where it is from. The text is for signing alone. */
export interface NamedKey extends Omit<KeyRow, 'state'> {
  readonly text: string;
  readonly state: KeyRow['state'];
  readonly from: 'the stack' | 'the environment' | 'the input';
}

/** The keys of the target's secret, in its order. Throws when it holds none. */
export async function stackKeys(session: Session, target: Target): Promise<readonly NamedKey[]> {
  const stack = await target.stack();
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const version = await openSecret(stack, outputOf(stack, 'KeySecretArn')).read();
  const entries = version === undefined ? [] : parseKeySecret(version.text);
  return entries.map((entry) => ({ ...rowOf(entry, session.now()), text: entry.key, from: 'the stack' }));
}

/** The key of the environment, when there is one. */
export async function environmentKey(session: Session): Promise<NamedKey | undefined> {
  if (variable(session, privateKeyVariable) === undefined) return undefined;
  return named(session, await readPrivateKey(session, { prompt: '' }), 'the environment');
}

export async function givenKey(session: Session, stdin: true | undefined): Promise<NamedKey> {
  const prompt = 'Private key (it is not shown): ';
  const key = stdin ? await readPrivateKey(session, { stdin, prompt }) : await session.input.secret(prompt);
  return named(session, key.trim(), 'the input');
}

function named({ now }: Session, key: string, from: NamedKey['from']): NamedKey {
  return { ...rowOf({ key }, now()), text: key, from };
}

/** What to sign with: the first key of the mode that is accepted. */
export function signingKeyOf(keys: readonly NamedKey[], mode: Mode): NamedKey | undefined {
  const usable = keys.filter((key) => key.mode === mode && key.state !== 'expired');
  return usable.find(({ state }) => state === 'current') ?? usable[0];
}
