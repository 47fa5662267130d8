import { parseSealSecret, type SealKey, sealingKey } from '../../lambdas/contract/seal.ts';
import type { KeyRing } from '../../lambdas/verifier/key-ring.ts';

/** Three keys, of which the second seals. */
export const sealSecret = ['a1', 'b2', 'c3'].map((digits) => digits.repeat(32)).join('');

const keys = parseSealSecret(sealSecret);
export const testSealKey = sealingKey(keys) as SealKey;

/** The keys of the secret, for certain. */
export const knownSealKeys: KeyRing<SealKey> = {
  current: async () => ({ keys, isCertain: true }),
  reread: async () => ({ keys, isCertain: true }),
};
