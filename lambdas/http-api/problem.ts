/** RFC 9457 problem details. `detail` names what is wrong, what was given and what is expected. */
export interface Problem {
  readonly status: 400 | 403 | 404 | 409 | 500;
  readonly title: string;
  readonly detail: string;
  /** The wrong query parameter, or the wrong field of the request. */
  readonly parameter?: string;
  /** After which the same request may succeed. */
  readonly retry_after_seconds?: number;
}

/** Thrown by a route in place of its response. */
export class ProblemError extends Error {
  override readonly name: string = 'ProblemError';
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** A wrong part of a request: `detail` names it, what was given and what is expected. */
export const invalid = (parameter: string, detail: string): ProblemError =>
  new ProblemError({ status: 400, title: 'Bad Request', detail, parameter });

export const forbidden = (detail: string): ProblemError =>
  new ProblemError({ status: 403, title: 'Forbidden', detail });

export const notFound = (detail: string): ProblemError =>
  new ProblemError({ status: 404, title: 'Not Found', detail });

/** What the state of the subject forbids; `detail` names what to do. */
export const conflict = (detail: string): ProblemError =>
  new ProblemError({ status: 409, title: 'Conflict', detail });

/** Another actor is changing the subject; the same request succeeds later. */
export const busy = (seconds: number): ProblemError =>
  new ProblemError({
    status: 409,
    title: 'Busy',
    detail:
      'The event was delivered or changed a moment ago, and a consumer may still be working on it. ' +
      `Repeat the request in ${seconds} s.`,
    retry_after_seconds: seconds,
  });
