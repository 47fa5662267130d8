import { STATUS_CODES } from 'node:http';
import { ConflictError, ProblemError } from './errors.ts';
import type { ParameterProblem, Problem } from './openapi-types.ts';
import { parseRetryAfter } from './retry-policy.ts';

/**
 * `NotFound` is only for payhooks' own 404: API Gateway also responds 404, to an unknown route, and that does
 * not mean that the order does not exist.
 */
export function problemErrorOf(
  { status, headers }: Response,
  text: string,
  NotFound: typeof ProblemError,
): ProblemError {
  const retryAfter = parseRetryAfter(headers.get('retry-after'), Date.now());
  const body = parseObject(text);
  if (!headers.get('content-type')?.startsWith('application/problem+json') || !isProblem(body)) {
    const title = STATUS_CODES[status] ?? 'Unknown';
    const detail = typeof body['message'] === 'string' ? body['message'] : 'The response has no message.';
    return new ProblemError({ type: 'about:blank', title, status, detail }, retryAfter);
  }
  if (status === 409) return new ConflictError(body);
  return status === 404 ? new NotFound(body) : new ProblemError(body, retryAfter);
}

type JsonObject = Readonly<Record<string, unknown>>;

/** `{}` for anything but a JSON object. */
function parseObject(text: string): JsonObject {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null;

function isProblem(body: JsonObject): body is JsonObject & (Problem | ParameterProblem) {
  const texts = ['type', 'title', 'detail'].every((name) => typeof body[name] === 'string');
  return texts && typeof body['status'] === 'number';
}
