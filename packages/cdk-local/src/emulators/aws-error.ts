interface AwsErrorOptions extends ErrorOptions {
  readonly status?: number;
  /** What the body has next to code and message. */
  readonly details?: object;
}

/** An error as a service of AWS responds with it: the SDK makes its exception from `code`. */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly code: string;
  readonly status: number;
  readonly details: object;
  constructor(
    code: string,
    message: string,
    { status = 400, details = {}, ...options }: AwsErrorOptions = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
