/** The staging labels that Secrets Manager gives a meaning to. */
export const stages = { current: 'AWSCURRENT', pending: 'AWSPENDING' } as const;

/**
 * A label of our own on the version with the newest refresh token. Secrets Manager deletes versions without
 * any label, and a person who removes AWSPENDING from a rotation that got stuck must not delete the only
 * refresh token that is not spent.
 */
export const newestStage = 'NEWEST_TOKEN';

export interface SecretVersion {
  readonly versionId: string;
  readonly text: string;
}

export interface SecretDescription {
  readonly rotationEnabled: boolean;
  /** The labels of each version, by its id; versions without a value are among them. */
  readonly stages: ReadonlyMap<string, readonly string[]>;
}

/** The versions of the one secret that is rotated. Whatever goes wrong is thrown. */
export interface SecretVersions {
  readonly describe: () => Promise<SecretDescription>;
  /** `undefined` when there is no such version, or when it has no value yet. */
  readonly read: (
    which: { readonly stage: string } | { readonly versionId: string },
  ) => Promise<SecretVersion | undefined>;
  /**
   * Gives a version its value and the labels AWSPENDING and `newestStage`. The same value again is no change;
   * `taken` when the version has another one already.
   */
  readonly putPending: (version: SecretVersion) => Promise<'kept' | 'taken'>;
  /** Moves AWSCURRENT from one version to another. Throws when it is not on the first one any more. */
  readonly makeCurrent: (move: { readonly to: string; readonly from: string | undefined }) => Promise<void>;
  /** Takes AWSPENDING away, so that the next rotation begins anew. */
  readonly release: (versionId: string) => Promise<void>;
}

/** The version that carries a label. */
export function holderOf({ stages }: SecretDescription, stage: string): string | undefined {
  return [...stages].find(([, labels]) => labels.includes(stage))?.[0];
}
