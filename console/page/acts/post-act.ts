import { whenFree } from '../../../cli/when-free.ts';
import { ApiError, postApi } from '../data/api.ts';
import type { Wait } from './act-flow.ts';

export interface PostedAct {
  readonly path: `/operations/${string}`;
  /** Its fields. */
  readonly body: object;
  /** What a consumer may be working on. */
  readonly subject: string;
  readonly wait: Wait;
}

/** Sends an act, and again when its subject is busy. */
export const postAct = <Result>({ path, body, subject, wait }: PostedAct): Promise<Result> =>
  whenFree({
    request: () => postApi<Result>(path, body),
    retryAfterSecondsOf,
    wait: (seconds) => wait(seconds, subject),
  });

function retryAfterSecondsOf(error: unknown): number | undefined {
  const seconds = error instanceof ApiError && error.problem['retry_after_seconds'];
  return typeof seconds === 'number' ? seconds : undefined;
}
