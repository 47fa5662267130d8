import { type PrivateKeyEntry, parseKeySecret, writeKeySecret } from '../../lambdas/contract/key-secret.ts';
import type { SecretVersion } from '../aws/versioned-secret.ts';
import { outputOf, type Stack } from '../stack/stack.ts';

export type Entries = readonly PrivateKeyEntry[];

export interface KeySecret {
  /** The current value; `undefined` if there was never one. */
  read(): Promise<SecretVersion | undefined>;
  /** Replaces the value if it is still `former`; otherwise rejects and changes nothing. */
  replace(former: SecretVersion | undefined, entries: Entries): Promise<void>;
}

/** The secret with the keys that a stack verifies webhooks with. */
export async function openKeySecret(stack: Stack): Promise<KeySecret> {
  const { openSecret } = await import('../aws/versioned-secret.ts');
  const { read, replace } = openSecret(stack, outputOf(stack, 'KeySecretArn'));
  return { read, replace: (former, entries) => replace(former, writeKeySecret(entries)) };
}

/** The keys of a secret; an emulator returns an empty text where AWS finds no value. */
export const entriesOf = (version: SecretVersion | undefined): Entries =>
  version?.text ? parseKeySecret(version.text) : [];
