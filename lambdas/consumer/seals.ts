import { isSealed, type SealKey } from '../contract/seal.ts';
import type { KeyRing } from '../verifier/key-ring.ts';
import type { Received } from './receive.ts';

/**
 * Checks the seals of one batch, whose records share what is read: the keys, and once again before a message
 * is called unsealed. `undefined`: the keys are not known for certain, so the message is tried again.
 */
export function createSealCheck(ring: KeyRing<SealKey>) {
  const first = ring.current();
  let again: typeof first | undefined;
  return async function checkSeal({ message, seal }: Received): Promise<boolean | undefined> {
    if (isSealed((await first).keys, message, seal)) return true;
    again ??= ring.reread();
    const { keys, isCertain } = await again;
    return isSealed(keys, message, seal) || (isCertain ? false : undefined);
  };
}
