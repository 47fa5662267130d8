import { STATUS_CODES } from 'node:http';
import { ProblemError } from './errors.ts';
import type { ParameterProblem, Problem } from './openapi-types.ts';
import { parseRetryAfter } from './retry-policy.ts';

/**
 * The error in an answer. `NotFound` is for the 404 that payhooks gives itself: API Gateway answers 404 as
 * well, to a route that it does not know, and that says nothing of an order.
 */
export function problemErrorOf(
  { status, headers }: Response,
  body: string,
  NotFound: typeof ProblemError,
): ProblemError {
  const retryAfter = parseRetryAfter(headers.get('retry-after'), Date.now());
  const told = parseObject(body);
  if (!headers.get('content-type')?.startsWith('application/problem+json') || !isProblem(told)) {
    const title = STATUS_CODES[status] ?? 'Unknown';
    const detail = typeof told['message'] === 'string' ? told['message'] : 'The answer holds no message.';
    return new ProblemError({ type: 'about:blank', title, status, detail }, retryAfter);
  }
  return status === 404 ? new NotFound(told) : new ProblemError(told, retryAfter);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** `{}` for what is no JSON object. */
export function parseObject(body: string): JsonObject {
  try {
    const json: unknown = JSON.parse(body);
    return typeof json === 'object' && json !== null ? (json as JsonObject) : {};
  } catch {
    return {};
  }
}

function isProblem(told: JsonObject): told is JsonObject & (Problem | ParameterProblem) {
  const texts = ['type', 'title', 'detail'].every((name) => typeof told[name] === 'string');
  return texts && typeof told['status'] === 'number';
}
