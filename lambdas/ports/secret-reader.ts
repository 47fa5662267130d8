/**
 * Resolves with the current text of a secret. Throws a `SecretRefusedError` when Secrets Manager responds
 * that it will not return one. Any other error, also an unknown one, is an outage: it proves nothing about
 * the secret and ends by itself.
 */
export type SecretReader = () => Promise<string>;

/** The secret has no text, is deleted or marked for deletion, must not be read, or cannot be decrypted. */
export class SecretRefusedError extends Error {
  override readonly name = 'SecretRefusedError';
  readonly code: string;

  /** `code` is the name of the error of Secrets Manager, whose text is not for a log. */
  constructor(code: string, options?: ErrorOptions) {
    super(`Secrets Manager does not return the value: ${code}.`, options);
    this.code = code;
  }
}
