import { forbiddenMessage, statuses } from '../../assumptions.ts';
import type { Mismatch } from '../../json.ts';

export interface ApiResponse {
  readonly status: number;
  /** Sent as JSON; left out, the response has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shown to the owner of the simulator only: the document's errors do not distinguish the reasons. */
  readonly reason?: string;
}

/** Something read from a request, or the response that refuses it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: ApiResponse };

export const read = <T>(value: T): Read<T> => ({ ok: true, value });
export const refuse = (refusal: ApiResponse): Read<never> => ({ ok: false, refusal });

export const refusal = (status: number, reason: string, message: string): ApiResponse => ({
  status,
  body: { message },
  reason,
});

/** Section 7. */
export const unauthenticated = (reason: string) => refuse(refusal(401, reason, 'Unauthenticated'));
export const forbidden = (reason: string) => refuse(refusal(403, reason, forbiddenMessage));

/** Names the field or parameter that breaks a rule, for the author of a client. */
export const invalid = (field: string, rule: string): ApiResponse => ({
  status: statuses.invalid,
  body: { message: `${field}: ${rule}`, errors: { [field]: [rule] } },
  reason: `invalid_${field}`,
});

export const mismatched = ({ field, expected }: Mismatch): ApiResponse => invalid(field, expected);
