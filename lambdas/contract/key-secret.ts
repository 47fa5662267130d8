import * as v from 'valibot';
import { createSigningKey, privateKeyPattern, type SigningKey } from '../domain/signature.ts';
import { privateKeysMax } from './limits.ts';
import { readSecretJson, timeSchema } from './secret-json.ts';

/** A private key in the secret. */
export interface PrivateKeyEntry {
  readonly key: string;
  /** From this moment on (milliseconds since the epoch) the key is no longer accepted. */
  readonly acceptedUntil?: number;
}

/** The secret cannot be used. The message names what is wrong and never quotes a value. */
export class MalformedSecretError extends Error {
  override readonly name = 'MalformedSecretError';
}

const form = '{"private_keys":[{"key":"pri_…","accepted_until":"2026-12-01T00:00:00Z"}]}';
const notAKey = 'is not a private key; expected pri_<identifier>';
const notAList = `has no list of private keys; expected a bare private key (pri_…) or ${form}`;
const wrongCount = ({ received }: { readonly received: string }): string =>
  `lists ${received} private keys; expected 1 to ${privateKeysMax}`;

const schema = v.object(
  {
    private_keys: v.pipe(
      v.array(
        v.object(
          {
            key: v.pipe(v.string(notAKey), v.regex(privateKeyPattern, notAKey)),
            accepted_until: v.nullish(timeSchema),
          },
          ({ path }) => (path === undefined ? `is not an entry; expected one such as ${form}` : notAKey),
        ),
        notAList,
      ),
      v.minLength(1, wrongCount),
      v.maxLength(privateKeysMax, wrongCount),
    ),
  },
  notAList,
);

/**
 * The keys in the text of the secret. One wrong entry refuses it: a typo must raise an alarm while the last
 * good keys are used, and not silently disable the next key. Throws a `MalformedSecretError`.
 */
export function parseKeySecret(text: string): PrivateKeyEntry[] {
  const trimmed = text.trim();
  if (privateKeyPattern.test(trimmed)) return [{ key: trimmed }];
  const malformed = (problem: string) => new MalformedSecretError(`The key secret ${problem}.`);
  return readSecretJson(trimmed, schema, malformed).private_keys.map(
    ({ key, accepted_until: acceptedUntil }) => ({
      key,
      ...(typeof acceptedUntil === 'number' && { acceptedUntil }),
    }),
  );
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
