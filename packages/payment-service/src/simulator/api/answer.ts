import { forbiddenMessage, statuses } from '../assumptions.ts';

/** What is answered to a request. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; left out, the answer has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** For whoever watches the simulator. It never leaves, since the document's errors do not tell apart. */
  readonly reason?: string;
}

/** Something read from a request, or the answer that refuses it. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: Answer };

export const read = <T>(value: T): Read<T> => ({ ok: true, value });
export const refuse = (refusal: Answer): Read<never> => ({ ok: false, refusal });

/** Section 7, 401: the credential is missing or malformed, no live private key, or matches no account. */
export type AuthenticationFault =
  | 'missing_credential'
  | 'malformed_credential'
  | 'sandbox_key'
  | 'unknown_account'
  | 'expired_token'
  | 'unknown_client';

/** Section 7, 403: authenticated but not permitted. */
export type PermissionFault = 'account_inactive' | 'identity_unverified' | 'missing_scope';

export const unauthenticated = (reason: AuthenticationFault): Answer => ({
  status: 401,
  body: { message: 'Unauthenticated' },
  reason,
});

export const forbidden = (reason: PermissionFault): Answer => ({
  status: 403,
  body: { message: forbiddenMessage },
  reason,
});

/** A field or parameter that breaks a rule, named, so that the author of a client sees which. */
export const invalid = (field: string, rule: string): Answer => ({
  status: statuses.invalid,
  body: { message: `${field}: ${rule}`, errors: { [field]: [rule] } },
  reason: `invalid_${field}`,
});

export const refusal = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { message },
  reason,
});
