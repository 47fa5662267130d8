import type { Authentication } from '@payhooks/payment-service';
import { type LiveKeysParts, liveKeyAuthentications } from './live-keys.ts';
import { type RotatedTokenParts, rotatedTokenAuthentication } from './rotated-token.ts';

/** How calls to the payment service are authenticated (API document 5). */
export interface Credential {
  readonly kind: 'private-key' | 'oauth';
  /** To be tried in order, until one is not refused with 401. */
  readonly authentications: () => Promise<readonly Authentication[]>;
}

export const keyCredential = (parts: LiveKeysParts): Credential => ({
  kind: 'private-key',
  authentications: liveKeyAuthentications(parts),
});

/** Create it once per process: it caches the token. */
export function tokenCredential(parts: RotatedTokenParts): Credential {
  const authentication = rotatedTokenAuthentication(parts);
  return { kind: 'oauth', authentications: async () => [authentication] };
}
