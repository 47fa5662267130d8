import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, attempt, type Fetch, type Request } from './attempt.ts';
import { parseBaseUrl } from './base-url.ts';
import { StatusError, UnexpectedAnswerError, UnreachableError } from './errors.ts';
import { type OperationName, ruleOf } from './operations.ts';
import { defaultRetryPolicy, pauseAfter, type RetryPolicy } from './retry-policy.ts';

/** Resolves after the time; rejects when the signal aborts first. */
export type Sleep = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export interface TransportOptions {
  /** https, or http on a loopback address; without /api/v2. */
  readonly baseUrl: string;
  readonly fetch?: Fetch | undefined;
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined;
  readonly sleep?: Sleep | undefined;
  /** In [0, 1). */
  readonly random?: (() => number) | undefined;
  readonly policy?: RetryPolicy | undefined;
}

export interface Transport {
  readonly baseUrl: URL;
  /** The answer of success, after as many attempts as the policy and the operation allow. */
  readonly send: (request: RepeatedRequest, signal?: AbortSignal) => Promise<Answer>;
}

export interface RepeatedRequest extends Request {
  /** After an attempt whose outcome is not known, these say that it had succeeded. */
  readonly doneStatuses?: readonly number[];
}

export function createTransport(options: TransportOptions): Transport {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const { policy = defaultRetryPolicy, now = Date.now, sleep = pauseOrAbort, random = Math.random } = options;
  // Not touched before a call needs it: the first global fetch costs a Lambda function 50 ms.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const send = async (request: RepeatedRequest, signal?: AbortSignal): Promise<Answer> => {
    const { repeat } = ruleOf(request.operation);
    let isOutcomeUnknown = false;
    for (let number = 1; ; number += 1) {
      const result = await attempt({ fetch, now, policy }, request, signal);
      if (!(result instanceof Error)) return result;
      if (
        isOutcomeUnknown &&
        result instanceof StatusError &&
        request.doneStatuses?.includes(result.status)
      ) {
        return { status: result.status, body: '' };
      }
      isOutcomeUnknown ||= maybeExecuted(result);
      const milliseconds = pauseAfter(policy, { number, error: result, repeat, random: random() });
      if (milliseconds === undefined) throw result;
      await sleep(milliseconds, signal);
    }
  };
  return { baseUrl, send };
}

/** The JSON of an answer. The parser's own error is left out: it quotes the text, and that may be a token. */
export function jsonOf(operation: OperationName, { body, status }: Answer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const found = body.trim() === '' ? 'empty' : 'not JSON';
    throw new UnexpectedAnswerError({
      source: sourceOf(operation, status),
      path: '$',
      expected: 'JSON',
      found,
    });
  }
}

/** For a write it matters to the reader that it was executed: the status says so. */
export const sourceOf = (operation: OperationName, status: number): string =>
  `the answer of ${operation} (${status})`;

function maybeExecuted(error: Error): boolean {
  if (error instanceof UnreachableError) return error.maybeExecuted;
  return error instanceof StatusError && error.status >= 500;
}

async function pauseOrAbort(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await pause(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
