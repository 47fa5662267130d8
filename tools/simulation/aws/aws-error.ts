/** An error in the form in which a service of AWS responds with it. */
export class AwsError extends Error {
  readonly code: string;
  readonly status: number;
  /** What the body has next to code and message. */
  readonly details: object;
  constructor(code: string, message: string, { status = 400, details = {} } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
