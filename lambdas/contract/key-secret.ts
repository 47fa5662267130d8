import { createSigningKey, privateKeyPattern, type SigningKey } from '../domain/signature.ts';
import { privateKeysMax } from './limits.ts';

/** A private key as the secret holds it. */
export interface PrivateKeyEntry {
  readonly key: string;
  /** From this moment on (milliseconds since the epoch) the key is no longer accepted. */
  readonly acceptedUntil?: number;
}

/** The secret cannot be used. The message says what is wrong with its form and never quotes its value. */
export class MalformedSecretError extends Error {
  override readonly name = 'MalformedSecretError';
}

const expected =
  'expected a bare private key (pri_…) or ' +
  '{"private_keys":[{"key":"pri_…","accepted_until":"2026-12-01T00:00:00Z"}]}';
const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The keys in the text of the secret. One wrong entry refuses the whole secret: a
 * typo must raise an alarm while the last good keys still serve, and not silently
 * disable the key that the payment service is about to use.
 */
export function parseKeySecret(text: string): PrivateKeyEntry[] {
  const trimmed = text.trim();
  if (privateKeyPattern.test(trimmed)) return [{ key: trimmed }];
  const entries = readEntries(trimmed);
  if (entries.length === 0 || entries.length > privateKeysMax) {
    throw new MalformedSecretError(
      `The key secret lists ${entries.length} private keys; expected 1 to ${privateKeysMax}.`,
    );
  }
  return entries.map(readEntry);
}

/** The keys of the secret, ready to verify and to sign with. */
export const signingKeysOf = (entries: readonly PrivateKeyEntry[]): SigningKey[] =>
  entries.map(({ key, acceptedUntil }) => createSigningKey(key, acceptedUntil));

/** The text of a secret that holds these keys. */
export function writeKeySecret(entries: readonly PrivateKeyEntry[]): string {
  const privateKeys = entries.map(({ key, acceptedUntil }) => ({
    key,
    ...(acceptedUntil !== undefined && { accepted_until: new Date(acceptedUntil).toISOString() }),
  }));
  return JSON.stringify({ private_keys: privateKeys });
}

function readEntries(text: string): unknown[] {
  const json = parseJson(text);
  const entries =
    typeof json === 'object' && json !== null && 'private_keys' in json ? json.private_keys : undefined;
  if (!Array.isArray(entries))
    throw new MalformedSecretError(`The key secret has an unknown form; ${expected}.`);
  return entries;
}

function readEntry(entry: unknown, index: number): PrivateKeyEntry {
  const fields: Readonly<Record<string, unknown>> =
    typeof entry === 'object' && entry !== null ? { ...entry } : {};
  const { key, accepted_until: acceptedUntil } = fields;
  if (typeof key !== 'string' || !privateKeyPattern.test(key)) {
    throw new MalformedSecretError(
      `private_keys[${index}].key is not a private key; expected pri_<identifier>.`,
    );
  }
  if (acceptedUntil === undefined || acceptedUntil === null) return { key };
  const until = parseMoment(acceptedUntil);
  if (until === undefined) {
    throw new MalformedSecretError(
      `private_keys[${index}].accepted_until is not a moment; ` +
        'expected ISO 8601 with a zone, as 2026-12-01T00:00:00Z.',
    );
  }
  return { key, acceptedUntil: until };
}

/** Milliseconds since the epoch; `undefined` for what is no moment in ISO 8601 with a zone. */
export function parseMoment(given: unknown): number | undefined {
  const moment = typeof given === 'string' && isoInstant.test(given) ? Date.parse(given) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The SyntaxError quotes the text, which is a secret.
    throw new MalformedSecretError(`The key secret is neither a private key nor JSON; ${expected}.`);
  }
}
