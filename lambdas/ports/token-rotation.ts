/** The current version of the token secret, as far as a reader needs it. */
export interface CurrentTokens {
  readonly versionId: string;
  readonly accessToken?: string | undefined;
  /** Milliseconds since the epoch; omitted when unknown, and then only a 401 shows that it has expired. */
  readonly expiresAt?: number | undefined;
}

/** The token secret for those who read it; only its rotation function changes it. */
export interface TokenRotation {
  /** `undefined` when the secret has no value yet. */
  readonly readTokens: () => Promise<CurrentTokens | undefined>;
  /** Starts a rotation now. Resolves when one has been started or is already in progress. */
  readonly rotate: () => Promise<void>;
}
