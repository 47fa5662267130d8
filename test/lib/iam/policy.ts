/** The part of IAM's policy language that the policies of the stack use. */
export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal?: '*' | Readonly<Record<string, OneOrMany<string>>>;
  readonly Action: OneOrMany<string>;
  /** Missing in a trust policy, which belongs to one role. */
  readonly Resource?: OneOrMany<string>;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, OneOrMany<string | boolean>>>>>;
}

export interface Policy {
  readonly Statement: OneOrMany<Statement>;
}

export type Principal =
  | { readonly kind: 'identity'; readonly arn: string }
  | { readonly kind: 'service'; readonly service: string }
  | { readonly kind: 'anonymous' };

/** Condition keys and their values; a request may have several values of one key. */
export type RequestContext = Readonly<Record<string, OneOrMany<string>>>;

export interface Request {
  readonly principal: Principal;
  readonly action: string;
  /** The ARN of the resource. */
  readonly resource: string;
  readonly context?: RequestContext;
}

type OneOrMany<T> = T | readonly T[];

export const list = <T>(value: OneOrMany<T>): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];
