import { type Authentication, privateKeyAuthentication, RefusedKeyError } from '@payhooks/payment-service';
import { type PrivateKeyEntry, parseKeySecret } from '../contract/key-secret.ts';
import { isAccepted } from '../domain/signature.ts';
import { type SecretReader, SecretRefusedError } from '../ports/secret-reader.ts';

/** There is no private key to call the payment service with. The message has the reason and quotes no key. */
export class NoLiveKeyError extends Error {
  override readonly name = 'NoLiveKeyError';
}

export interface LiveKeysParts {
  readonly readSecret: SecretReader;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The live keys of the secret that are still accepted, in its order: during a rotation the payment service
 * knows only one of them. Sandbox keys are left out, as API v2 rejects them (API document 5.2). Throws a
 * `MalformedSecretError` or a `NoLiveKeyError` when there is none, and what the reader throws.
 */
export function liveKeyAuthentications({ readSecret, now }: LiveKeysParts) {
  return async function liveAuthentications(): Promise<readonly Authentication[]> {
    const entries = parseKeySecret(await withValue(readSecret));
    const usable = entries.filter((entry) => isAccepted(entry, now())).flatMap(authenticationOf);
    if (usable.length > 0) return usable;
    throw new NoLiveKeyError('The key secret holds no live private key that is still accepted.');
  };
}

/** None for a key that API v2 refuses, such as a sandbox key: it must not prevent the use of the others. */
function authenticationOf({ key }: PrivateKeyEntry): readonly Authentication[] {
  try {
    return [privateKeyAuthentication(key)];
  } catch (error) {
    if (error instanceof RefusedKeyError) return [];
    throw error;
  }
}

/** Secrets Manager responds with ResourceNotFoundException for a secret without a value. */
async function withValue(readSecret: SecretReader): Promise<string> {
  try {
    return await readSecret();
  } catch (cause) {
    const isEmpty = cause instanceof SecretRefusedError && cause.code === 'ResourceNotFoundException';
    if (!isEmpty) throw cause;
    throw new NoLiveKeyError('The key secret has no value yet.', { cause });
  }
}
