import { type Parameters, readMode, refuseUnknown } from './parameters.ts';

export interface RouteRequest {
  readonly path: Parameters;
  readonly query: Parameters;
  /** As text; `undefined` when the request has none. */
  readonly body: string | undefined;
  /** The ARN of the IAM identity that signed the request. */
  readonly caller: string;
}

/** Returns the body of the response. Throws ProblemError. */
export type Route<Parts> = (parts: Parts, request: RouteRequest) => Promise<unknown>;

/** What a path names, of the mode in the query; `more` are the other parameters that the query may have. */
export function readSubject({ path, query }: RouteRequest, name: string, more: readonly string[] = []) {
  refuseUnknown(query, ['mode', ...more]);
  return { mode: readMode(query), id: path[name] ?? '' };
}
