import type { FunctionModel } from '../template/resources.ts';

/** What the thread of an environment starts with. */
export interface ThreadData {
  readonly model: FunctionModel;
  /** Shared: how many characters of output it has sent that this process has not read. */
  readonly unread: Int32Array<SharedArrayBuffer>;
}

/** The outcome of one invocation. */
export type Invocation =
  /** `payload` is what the handler returned, as JSON; `null` for nothing. */
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly errorType: string; readonly errorMessage: string };

export interface Request {
  readonly requestId: string;
  /** The event as JSON: a handler never shares an object with its caller. */
  readonly event: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Sent by an environment: an outcome once when the handler is loaded, and once for every request. */
export type Report =
  | { readonly about: 'outcome'; readonly outcome: Invocation }
  | { readonly about: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string };

/** An error in the form that the Lambda runtime reports; a handler may throw anything. */
export function failure(thrown: unknown): Invocation {
  if (thrown instanceof Error) return { ok: false, errorType: thrown.name, errorMessage: thrown.message };
  return { ok: false, errorType: typeof thrown, errorMessage: String(thrown) };
}
