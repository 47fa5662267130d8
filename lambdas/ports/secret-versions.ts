/** The staging labels that Secrets Manager defines. */
export const stages = { current: 'AWSCURRENT', pending: 'AWSPENDING' } as const;

/**
 * Our own label, on the version with the newest refresh token. Secrets Manager deletes versions without
 * labels, and removing AWSPENDING from a stuck rotation must not delete the only unspent refresh token.
 */
export const newestStage = 'NEWEST_TOKEN';

export interface SecretVersion {
  readonly versionId: string;
  readonly text: string;
}

export interface SecretDescription {
  readonly rotationEnabled: boolean;
  /** The labels of each version by its id, including versions without a value. */
  readonly stages: ReadonlyMap<string, readonly string[]>;
}

/** The versions of the secret that is rotated. Every failure is thrown. */
export interface SecretVersions {
  readonly describe: () => Promise<SecretDescription>;
  /** `undefined` when there is no such version or it has no value yet. */
  readonly read: (
    which: { readonly stage: string } | { readonly versionId: string },
  ) => Promise<SecretVersion | undefined>;
  /**
   * Sets the value of a version and its labels: AWSPENDING, and others if given. The same value again changes
   * nothing; `taken` when the version already has another value.
   */
  readonly putPending: (version: SecretVersion, ...labels: readonly string[]) => Promise<'kept' | 'taken'>;
  /** Moves AWSCURRENT from one version to another. Throws when the first no longer has it. */
  readonly makeCurrent: (move: { readonly to: string; readonly from: string | undefined }) => Promise<void>;
  /** Removes AWSPENDING, so that the next rotation starts from the beginning. */
  readonly release: (versionId: string) => Promise<void>;
}

/** The version that carries a label. */
export function holderOf({ stages }: SecretDescription, stage: string): string | undefined {
  return [...stages].find(([, labels]) => labels.includes(stage))?.[0];
}
