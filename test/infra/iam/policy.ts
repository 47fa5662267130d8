/** IAM's policy language, as far as the policies of the stack use it. */

export type OneOrMany<T> = T | readonly T[];

export type ConditionBlock = Readonly<Record<string, Readonly<Record<string, OneOrMany<string | boolean>>>>>;

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal?: '*' | Readonly<Record<string, OneOrMany<string>>>;
  readonly Action?: OneOrMany<string>;
  readonly NotAction?: OneOrMany<string>;
  readonly Resource?: OneOrMany<string>;
  readonly NotResource?: OneOrMany<string>;
  readonly Condition?: ConditionBlock;
}

export interface Policy {
  readonly Statement: OneOrMany<Statement>;
}

/** Who asks: an identity with its ARN, a service of AWS, or nobody that AWS knows. */
export type Principal =
  | { readonly kind: 'identity'; readonly arn: string }
  | { readonly kind: 'service'; readonly service: string }
  | { readonly kind: 'anonymous' };

/** The condition keys of a request and their values; a key that is not here is not in the request. */
export type RequestContext = Readonly<Record<string, OneOrMany<string>>>;

export interface Request {
  readonly principal: Principal;
  readonly action: string;
  /** The ARN of what is acted on. */
  readonly resource: string;
  readonly context?: RequestContext;
}

/** What the language allows and this evaluator does not know; it must not be taken for a refusal. */
export class UnsupportedPolicyError extends Error {
  override readonly name = 'UnsupportedPolicyError';
}

export const list = <T>(value: OneOrMany<T>): readonly T[] =>
  Array.isArray(value) ? (value as readonly T[]) : [value as T];

/** The account in an ARN; empty for resources that have none in it. */
export const accountOf = (arn: string): string => arn.split(':')[4] ?? '';
