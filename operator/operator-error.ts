/** What a script reads from a command. */
export const exitCodes = {
  done: 0,
  /** It did not work, or there are findings. */
  failed: 1,
  /** Wrong usage, or not confirmed. */
  wrongUsage: 2,
  /** The payment service or AWS refused the credential. */
  refused: 3,
  unreachable: 4,
} as const;

/** The last three are those of a process that SIGHUP, SIGINT or SIGTERM ended. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes] | 129 | 130 | 143;
type Failure = Exclude<keyof typeof exitCodes, 'done'>;

/** Ends a command with its exit code. The message is for the operator and holds no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly failure: Failure;

  constructor(failure: Failure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }

  get exitCode(): ExitCode {
    return exitCodes[this.failure];
  }
}
