import type { Authentication } from '@payhooks/payment-service';
import { type LiveKeysParts, liveKeyAuthentications } from './live-keys.ts';
import { type RotatedTokenParts, rotatedTokenAuthentication } from './rotated-token.ts';

/** What the payment service is asked with (API document 5). */
export interface Credential {
  readonly kind: 'private-key' | 'oauth';
  /** To be tried one after another, until one is not answered 401. */
  readonly authentications: () => Promise<readonly Authentication[]>;
}

export const keyCredential = (parts: LiveKeysParts): Credential => ({
  kind: 'private-key',
  authentications: liveKeyAuthentications(parts),
});

/** One for the life of the process, as it holds the token. */
export function tokenCredential(parts: RotatedTokenParts): Credential {
  const authentication = rotatedTokenAuthentication(parts);
  return { kind: 'oauth', authentications: async () => [authentication] };
}
