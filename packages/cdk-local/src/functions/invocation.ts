/**
 * What became of one invocation. A failure is an outcome here, as it is to whoever invokes a function in AWS.
 */
export type Invocation =
  | {
      readonly ok: true /** What the handler returned, as JSON; `null` for nothing. */;
      readonly payload: string;
    }
  | { readonly ok: false; readonly errorType: string; readonly errorMessage: string };

/** What an environment is told when it starts. */
export interface Start {
  readonly codeDirectory: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMegabytes: number;
}

export interface Request {
  readonly requestId: string;
  /** The event as JSON: a handler never shares an object with whoever invokes it. */
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** What an environment says: once when the handler is loaded, and once for every request. */
export type Report = { readonly about: 'start' | 'request'; readonly outcome: Invocation };

/** An error as the Lambda runtime reports it; anything may be thrown. */
export function failure(thrown: unknown): Invocation {
  if (thrown instanceof Error) return { ok: false, errorType: thrown.name, errorMessage: thrown.message };
  return { ok: false, errorType: typeof thrown, errorMessage: String(thrown) };
}
