import { type PrivateKeyEntry, parseKeySecret, writeKeySecret } from '../lambdas/contract/key-secret.ts';
import { privateKeysMax } from '../lambdas/contract/limits.ts';
import { createSigningKey, isAccepted, type Mode } from '../lambdas/domain/signature.ts';
import type { SecretVersion } from '../lambdas/ports/secret-versions.ts';
import { CommandError } from './operator-error.ts';
import { outputOf, type Stack } from './stack/stack.ts';

export type Entries = readonly PrivateKeyEntry[];

/** The secret with the keys that a stack verifies webhooks with. */
export async function openKeySecret(stack: Stack) {
  const { openSecret } = await import('./aws/versioned-secret.ts');
  const { read, replace } = openSecret(stack, outputOf(stack, 'KeySecretArn'));
  return {
    read,
    replace: (former: SecretVersion | undefined, entries: Entries) =>
      replace(former, writeKeySecret(entries)),
  };
}

/** The keys of a secret; an emulator returns an empty text where AWS finds no value. */
export const entriesOf = (version: SecretVersion | undefined): Entries =>
  version?.text ? parseKeySecret(version.text) : [];

export const readEntries = async (stack: Stack): Promise<Entries> =>
  entriesOf(await (await openKeySecret(stack)).read());

/** What may be shown of a key. */
export interface KeyRow {
  /** Twelve digits of a hash. */
  readonly id: string;
  readonly mode: Mode;
  readonly accepted_until: string | null;
  readonly state: 'current' | 'overlap' | 'expired';
}

export const keyId = (key: string): string => createSigningKey(key).id;
export const modeOf = (key: string): Mode => createSigningKey(key).mode;

export function rowOf(entry: PrivateKeyEntry, now: number): KeyRow {
  const { id, mode, acceptedUntil } = createSigningKey(entry.key, entry.acceptedUntil);
  if (acceptedUntil === undefined) return { id, mode, accepted_until: null, state: 'current' };
  const state = isAccepted(entry, now) ? 'overlap' : 'expired';
  return { id, mode, accepted_until: new Date(acceptedUntil).toISOString(), state };
}

/** The key replaces all others of its mode. */
export function withOnly(entries: Entries, key: string): Entries {
  return [{ key }, ...entries.filter((entry) => modeOf(entry.key) !== modeOf(key))];
}

/**
 * Adds the key before the others. Those of its mode expire at the end of the overlap at the latest, because
 * the payment service signs with the old one until the new one is set in its dashboard.
 */
export function withNew(
  entries: Entries,
  key: string,
  times: { readonly now: number; readonly overlapEnds: number },
): Entries {
  const others = entries.filter((entry) => entry.key !== key);
  const ending = others.map((entry): PrivateKeyEntry => {
    if (modeOf(entry.key) !== modeOf(key)) return entry;
    return { ...entry, acceptedUntil: Math.min(entry.acceptedUntil ?? times.overlapEnds, times.overlapEnds) };
  });
  return withinLimit([{ key }, ...ending], times.now);
}

/** The entry of an id. Throws for an id that no key has. */
export function entryOf(entries: Entries, id: string): PrivateKeyEntry {
  const entry = entries.find(({ key }) => keyId(key) === id);
  if (entry !== undefined) return entry;
  const ids = entries.map(({ key }) => keyId(key)).join(', ');
  throw new CommandError('failed', `No key has the id ${id}. The ids are: ${ids || '(no key)'}.`);
}

/** Whether a key of the mode is still accepted at `moment`. */
export function isAnyAccepted(entries: Entries, mode: Mode, moment: number): boolean {
  return entries.some((entry) => modeOf(entry.key) === mode && isAccepted(entry, moment));
}

/** Drops expired keys above the limit, the oldest first: they only explain why a webhook is refused. */
function withinLimit(entries: Entries, now: number): Entries {
  const expired = entries
    .filter((entry) => !isAccepted(entry, now))
    .toSorted((a, b) => (a.acceptedUntil ?? 0) - (b.acceptedUntil ?? 0));
  const dropped = new Set(expired.slice(0, Math.max(0, entries.length - privateKeysMax)));
  const kept = entries.filter((entry) => !dropped.has(entry));
  if (kept.length <= privateKeysMax) return kept;
  const message = `The secret holds ${privateKeysMax} accepted keys, which is the limit.`;
  throw new CommandError('failed', `${message} Expire one first: payhooks keys expire ID`);
}
