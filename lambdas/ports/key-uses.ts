import type { Mode } from '../domain/signature.ts';

/** A signature matched a private key. */
export interface KeyUse {
  readonly mode: Mode;
  readonly keyId: string;
  /** ISO 8601 UTC. */
  readonly matchedAt: string;
}

export interface KeyUseReader {
  /** Every key that has matched, by id. */
  keyUses(mode: Mode): Promise<readonly KeyUse[]>;
}

export interface KeyUseWriter {
  /** Stores the use unless a later one of its key is stored. */
  putKeyUse(use: KeyUse): Promise<void>;
}
