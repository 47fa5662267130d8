/** The SDK makes its exception from `code`. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
