import type { Stack } from '../../operator/stack/stack.ts';

/** What every resource of the console's API works with. */
export interface ConsoleContext {
  /** The stack that the console shows; rejects while it cannot be read. */
  readonly stack: () => Promise<Stack>;
  readonly env: NodeJS.ProcessEnv;
  /** Calls back after each line of a function; only local mode has them in its process. */
  readonly log: { subscribe(onLine: () => void): void } | undefined;
}

/** A resource under `/console/api/`. A new one is a module, and an entry in `server.ts`. */
export interface ConsoleRoute {
  readonly method: 'GET' | 'POST';
  /** Such as `/console/api/runbook/{alarm}`. */
  readonly path: string;
  /**
   * Resolves with the JSON of a 200, or with a whole response. Rejects with a `ConsoleProblem`, or any error
   * of the command line.
   */
  handle(request: ConsoleRequest): Promise<unknown>;
}

export interface ConsoleRequest {
  /** From the path, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON of a POST, not checked; `undefined` for a GET. */
  readonly body: unknown;
  /** Aborts when the page no longer waits for the response. */
  readonly signal: AbortSignal;
}
