import type { Parameters } from './parameters.ts';
import type { Problem } from './problem.ts';

export interface RouteRequest {
  readonly path: Parameters;
  readonly query: Parameters;
  /** As text; `undefined` when the request has none. */
  readonly body: string | undefined;
  /** The ARN of the IAM identity that signed the request. */
  readonly caller: string;
}

export interface Refusal {
  readonly ok: false;
  readonly problem: Problem;
}

export type RouteResult = { readonly ok: true; readonly body: unknown } | Refusal;

export type Route<Parts> = (parts: Parts, request: RouteRequest) => Promise<RouteResult>;

export const notFound = (detail: string): Refusal => ({
  ok: false,
  problem: { status: 404, title: 'Not Found', detail },
});
